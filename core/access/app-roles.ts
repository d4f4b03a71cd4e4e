/** App roles and what they permit (spec, Authentication, mode B). Names are exact and case-sensitive. */

import { anybody, type Permission } from './permissions.ts';

const grants: ReadonlyMap<string, Iterable<Permission>> = new Map<string, Iterable<Permission>>([
  ['Playbook.Read', ['playbook:read']],
  ['Playbook.Write', ['playbook:read', 'playbook:write']],
  ['Playbook.Execute', ['playbook:read', 'playbook:execute']],
  ['Service.Admin', anybody.permissions],
]);

export const appRoles: readonly string[] = [...grants.keys()];

/** Roles of other services are none of our business. */
export function permissionsOf(roles: readonly string[]): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role) => [...(grants.get(role) ?? [])]));
}
