/** The whole definition of the configuration, in the order of the documentation. */

import { accessVariables } from './access-settings.ts';
import { capabilityVariables } from './capability-settings.ts';
import { embeddedHostVariables } from './embedded-host-settings.ts';
import { executionVariables } from './execution-settings.ts';
import { finVariables } from './fin-settings.ts';
import { httpVariables } from './http-settings.ts';
import { logVariables } from './log-settings.ts';
import { outgoingVariables } from './outgoing-settings.ts';
import { reportingVariables } from './reporting-settings.ts';
import { signatureVariables } from './signature-settings.ts';
import { storeVariables } from './store-settings.ts';
import type { VariableTable } from './variable.ts';

export type VariableGroup = { readonly title: string; readonly variables: VariableTable };

export const variableGroups: readonly VariableGroup[] = [
  { title: 'Service', variables: httpVariables },
  { title: 'Store', variables: storeVariables },
  { title: 'Playbooks and executions', variables: executionVariables },
  { title: 'Playbook signatures', variables: signatureVariables },
  { title: 'Capabilities', variables: capabilityVariables },
  { title: 'Secrets and outgoing connections', variables: outgoingVariables },
  { title: 'Fins', variables: finVariables },
  { title: 'Reporting', variables: reportingVariables },
  { title: 'Authentication', variables: accessVariables },
  { title: 'Logging', variables: logVariables },
  { title: 'Embedded host', variables: embeddedHostVariables },
];
