/**
 * The whole schema as plain JSON Schema, by component name. References read `#/components/schemas/<name>`,
 * so the map can be spread into an OpenAPI 3.1 document as it is.
 */

import type { TSchema } from 'typebox';
import { address, agentTarget, agentTargets, civicLocation, contact } from './agent-target.ts';
import { authenticationInfo } from './authentication-info.ts';
import { command } from './command.ts';
import { dataMarking } from './data-marking.ts';
import { extensionDefinition } from './extension-definition.ts';
import { playbook, processingSummary } from './playbook.ts';
import { externalReference } from './primitives.ts';
import { signature } from './signature.ts';
import { workflowStep } from './step.ts';
import { variable, variables } from './variable.ts';

export const cacaoComponents = {
  Playbook: playbook,
  WorkflowStep: workflowStep,
  Command: command,
  Variable: variable,
  Variables: variables,
  AgentTarget: agentTarget,
  AgentTargets: agentTargets,
  Address: address,
  CivicLocation: civicLocation,
  Contact: contact,
  AuthenticationInfo: authenticationInfo,
  DataMarking: dataMarking,
  ExtensionDefinition: extensionDefinition,
  ExternalReference: externalReference,
  ProcessingSummary: processingSummary,
  Signature: signature,
} as const satisfies { readonly [name: string]: TSchema };
