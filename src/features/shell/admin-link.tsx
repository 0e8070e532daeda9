import { ShieldCheck } from 'lucide-react'
import { type Destination, NavLink } from './navigation'

const ADMIN: Destination = { path: '/admin', label: 'Admin Panel', icon: ShieldCheck, inTabBar: false }

interface AdminLinkProps {
  readonly className: string | undefined
  readonly onNavigate?: (() => void) | undefined
}

/** Loaded where somebody is a superuser, which hardly anybody is. */
export const AdminLink = (props: AdminLinkProps) => <NavLink to={ADMIN} {...props} />
