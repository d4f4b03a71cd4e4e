/**
 * Who may call the service.
 *
 * S1  OIDC_ISSUER selects the group mode; any AUTH_IDP_ id selects the app-role mode; both may be on.
 * S2  Enabled without a mode, or with half of one, the service does not start: it never guesses.
 */

import type { AccessConfig, AppRoleAccessConfig, GroupAccessConfig } from './config.ts';
import { anyText, flag, listOf, trustedUrl } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

const partOf = 'AUTH_ENABLED';
const idList = (what: string) => listOf(what, /^[A-Za-z0-9][A-Za-z0-9.-]*$/);

export const accessVariables = {
  // Not lenient: falling back would open the service to everybody.
  AUTH_ENABLED: setting(
    flag,
    false,
    'Enable authentication. Set one of the two modes below, or both.',
  ),
  OIDC_ISSUER: optional(trustedUrl, 'Group mode: issuer URL, exactly as the provider writes it.', {
    partOf,
  }),
  OIDC_CLIENT_ID: optional(anyText, 'Group mode: client id that tokens must be issued for.', {
    partOf,
  }),
  AUTH_GROUP: optional(anyText, 'Group mode: group that callers must belong to.', { partOf }),
  OIDC_GROUPS_CLAIM: setting(anyText, 'groups', 'Group mode: claim that lists the groups.', {
    partOf,
  }),
  // Not lenient: the default is the unsafe value.
  OIDC_SKIP_TLS_VERIFY: setting(
    flag,
    true,
    'Group mode: skip certificate validation towards the provider. Set it to false outside tests.',
    { partOf },
  ),
  OIDC_CLIENT_SECRET: optional(anyText, 'Used by a graphical front end only; ignored here.', {
    partOf,
    secret: true,
  }),
  OIDC_REDIRECT_URL: optional(anyText, 'Used by a graphical front end only; ignored here.', {
    partOf,
  }),
  COOKIE_SECRET_KEY: optional(anyText, 'Used by a graphical front end only; ignored here.', {
    partOf,
    secret: true,
  }),
  AUTH_IDP_TENANT_IDS: optional(
    idList('tenant ids'),
    'App-role mode: accepted tenant ids, separated by commas.',
    { partOf },
  ),
  AUTH_IDP_API_CLIENT_ID: optional(anyText, 'App-role mode: client id of the API registration.', {
    partOf,
  }),
  AUTH_IDP_API_APP_ID_URI: optional(
    anyText,
    'App-role mode: application id URI of the API, such as api://name.',
    { partOf },
  ),
  AUTH_IDP_ACCEPT_V1: setting(flag, false, 'App-role mode: accept version 1 tokens too.', {
    partOf,
    lenient: true,
  }),
  AUTH_IDP_ALLOWED_CLIENT_IDS: optional(
    idList('client ids'),
    'App-role mode: accepted calling clients, separated by commas; include the one that signs users in.',
    { partOf, shownDefault: 'any client' },
  ),
  AUTH_IDP_LOGIN_URL: setting(
    trustedUrl,
    'https://login.microsoftonline.com',
    'App-role mode: base URL of the identity provider.',
    { partOf },
  ),
};

type Values = ValuesOf<typeof accessVariables>;

export function accessConfig(values: Values, notes: Notes): AccessConfig | undefined {
  if (!values.AUTH_ENABLED) {
    notes.warn(
      'AUTH_ENABLED',
      'authentication is off: whoever reaches the service may do everything',
    );
    return undefined;
  }
  const group = groupConfig(values, notes);
  const appRole = appRoleConfig(values, notes);
  if (!startsGroupMode(values) && !startsAppRoleMode(values)) {
    notes.problem(
      'AUTH_ENABLED',
      'is true, but neither OIDC_ISSUER nor AUTH_IDP_TENANT_IDS with AUTH_IDP_API_CLIENT_ID is set',
    );
  }
  return { group, appRole };
}

function startsGroupMode(values: Values): boolean {
  return [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.AUTH_GROUP].some(isSet);
}

function groupConfig(values: Values, notes: Notes): GroupAccessConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, AUTH_GROUP: group } = values;
  if (issuer === undefined || clientId === undefined || group === undefined) {
    if (startsGroupMode(values)) {
      demand({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, AUTH_GROUP: group }, notes);
    }
    return undefined;
  }
  if (values.OIDC_SKIP_TLS_VERIFY) {
    notes.warn(
      'OIDC_SKIP_TLS_VERIFY',
      'certificates of the identity provider are not checked; set it to false',
    );
  }
  return {
    issuer,
    clientId,
    group,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    skipTlsVerify: values.OIDC_SKIP_TLS_VERIFY,
  };
}

function startsAppRoleMode(values: Values): boolean {
  return [
    values.AUTH_IDP_TENANT_IDS,
    values.AUTH_IDP_API_CLIENT_ID,
    values.AUTH_IDP_API_APP_ID_URI,
    values.AUTH_IDP_ALLOWED_CLIENT_IDS,
  ].some(isSet);
}

function appRoleConfig(values: Values, notes: Notes): AppRoleAccessConfig | undefined {
  const { AUTH_IDP_TENANT_IDS: tenantIds, AUTH_IDP_API_CLIENT_ID: clientId } = values;
  if (tenantIds === undefined || clientId === undefined) {
    if (startsAppRoleMode(values)) {
      demand({ AUTH_IDP_TENANT_IDS: tenantIds, AUTH_IDP_API_CLIENT_ID: clientId }, notes);
    }
    return undefined;
  }
  return {
    tenantIds,
    clientId,
    appIdUri: values.AUTH_IDP_API_APP_ID_URI,
    acceptV1: values.AUTH_IDP_ACCEPT_V1,
    allowedClientIds: values.AUTH_IDP_ALLOWED_CLIENT_IDS,
    loginUrl: values.AUTH_IDP_LOGIN_URL.replace(/\/+$/, ''),
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined;
}

function demand(needed: { readonly [name: string]: unknown }, notes: Notes): void {
  const missing = Object.keys(needed).filter((name) => !isSet(needed[name]));
  for (const name of missing) {
    notes.problem(name, `is missing; the mode needs ${Object.keys(needed).join(', ')}`);
  }
}
