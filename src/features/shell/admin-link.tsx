import { ShieldCheck } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type Destination, NavLink } from './nav-link'

const ADMIN: Destination = { path: '/admin', label: 'Admin Panel', icon: ShieldCheck, inTabBar: false }

/** Loaded for superusers only. */
export const AdminLink = (props: Omit<ComponentProps<typeof NavLink>, 'to'>) => <NavLink to={ADMIN} {...props} />
