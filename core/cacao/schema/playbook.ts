/** The playbook document (CACAO 2.0, section 3). Members it does not name are allowed and kept. */

import { Type } from 'typebox';
import type { ObjectId, PlaybookId, StepId } from '../ids.ts';
import { agentTargets } from './agent-target.ts';
import { authenticationInfos } from './authentication-info.ts';
import { dataMarking } from './data-marking.ts';
import { extensionDefinition } from './extension-definition.ts';
import {
  component,
  externalReferences,
  flag,
  identifier,
  mapOf,
  opaque,
  text,
  texts,
  timestamp,
} from './primitives.ts';
import { signature } from './signature.ts';
import { workflowStep } from './step.ts';
import { variables } from './variable.ts';

const percentage = Type.Integer({ minimum: 0, maximum: 100 });

/** CACAO 2.0, playbook-processing-summary; older playbooks keep a summary of their own in `features`. */
export const processingSummary = Type.Object({
  manual_playbook: Type.Optional(flag),
  external_playbooks: Type.Optional(flag),
  parallel_processing: Type.Optional(flag),
  if_logic: Type.Optional(flag),
  while_logic: Type.Optional(flag),
  switch_logic: Type.Optional(flag),
  temporal_logic: Type.Optional(flag),
  data_markings: Type.Optional(flag),
  digital_signatures: Type.Optional(flag),
  countersigned_signatures: Type.Optional(flag),
  extensions: Type.Optional(flag),
});

export const playbook = Type.Object(
  {
    type: Type.Literal('playbook'),
    spec_version: Type.Literal('cacao-2.0'),
    id: identifier<PlaybookId>('playbook--<uuid>'),
    name: text,
    description: Type.Optional(text),
    playbook_types: Type.Optional(texts),
    playbook_activities: Type.Optional(texts),
    playbook_processing_summary: Type.Optional(component('ProcessingSummary', processingSummary)),
    features: Type.Optional(opaque),
    created_by: identifier<ObjectId>('The identity that created the playbook'),
    created: timestamp,
    modified: timestamp,
    revoked: Type.Optional(flag),
    valid_from: Type.Optional(timestamp),
    valid_until: Type.Optional(timestamp),
    derived_from: Type.Optional(Type.Array(identifier<ObjectId>('A playbook this one comes from'))),
    related_to: Type.Optional(Type.Array(identifier<ObjectId>('A related object'))),
    priority: Type.Optional(percentage),
    severity: Type.Optional(percentage),
    impact: Type.Optional(percentage),
    industry_sectors: Type.Optional(texts),
    labels: Type.Optional(texts),
    external_references: Type.Optional(externalReferences),
    markings: Type.Optional(Type.Array(identifier<ObjectId>('A key of data_marking_definitions'))),
    playbook_variables: Type.Optional(component('Variables', variables)),
    workflow_start: identifier<StepId>('The step the execution starts at'),
    workflow_exception: Type.Optional(
      identifier<StepId>('The step run after an unhandled failure'),
    ),
    workflow: mapOf(component('WorkflowStep', workflowStep), 'Steps by id'),
    playbook_extensions: Type.Optional(opaque),
    authentication_info_definitions: Type.Optional(authenticationInfos),
    agent_definitions: Type.Optional(component('AgentTargets', agentTargets)),
    target_definitions: Type.Optional(component('AgentTargets', agentTargets)),
    targets: Type.Optional(component('AgentTargets', agentTargets)),
    extension_definitions: Type.Optional(
      mapOf(component('ExtensionDefinition', extensionDefinition)),
    ),
    data_marking_definitions: Type.Optional(mapOf(component('DataMarking', dataMarking))),
    signatures: Type.Optional(Type.Array(component('Signature', signature))),
  },
  { title: 'CACAO 2.0 playbook' },
);
