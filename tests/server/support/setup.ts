import './password-cost'
