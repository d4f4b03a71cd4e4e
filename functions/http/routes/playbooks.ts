/** /playbook: storing, reading, replacing and removing playbooks. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import { type PlaybookId, parsePlaybookId } from '../../../core/cacao/ids.ts';
import { cacaoComponents } from '../../../core/cacao/schema/components.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import {
  addPlaybook,
  removePlaybook,
  replacePlaybook,
} from '../../../core/playbooks/keep-playbook.ts';
import type { Composition } from '../../composition.ts';
import { requireObject } from '../read-json.ts';
import type { Route } from '../route.ts';
import { metaSchema, toMetaWire } from '../wire/playbook-meta.ts';
import { lenientParameter, playbookIdParameter } from './parameters.ts';

const tag = 'playbook';
const playbook = cacaoComponents.Playbook;

export const playbookRoutes: readonly Route[] = [
  {
    name: 'playbook-list',
    method: 'GET',
    path: 'playbook',
    needs: 'playbook:read',
    tag,
    summary: 'All stored playbooks, in the order of their creation',
    answers: { 200: { description: 'The playbooks', schema: Type.Array(playbook) } },
    handle: async ({ composition }) => ({
      status: 200,
      body: await composition.stores.playbooks.list(),
    }),
  },
  {
    name: 'playbook-add',
    method: 'POST',
    path: 'playbook',
    needs: 'playbook:write',
    tag,
    summary: 'Store a playbook',
    parameters: [lenientParameter],
    body: { schema: playbook, required: true },
    answers: { 201: { description: 'The stored playbook', schema: playbook } },
    refusals: ['playbook-invalid', 'playbook-exists', 'query-invalid', 'body-too-large'],
    handle: async ({ composition, caller, json, query }) => {
      const kept = { ...keeping(composition), drafts: isLenient(query) };
      const document = requireObject(await json());
      return { status: 201, body: await addPlaybook(kept, document, callerLabel(caller)) };
    },
  },
  {
    // Sorts before playbook-read, whose path it also fits: the host takes the first match by name.
    name: 'playbook-meta',
    method: 'GET',
    path: 'playbook/meta',
    needs: 'playbook:read',
    tag,
    summary: 'Name, validity and labels of all stored playbooks',
    answers: { 200: { description: 'The list', schema: Type.Array(metaSchema) } },
    handle: async ({ composition }) => {
      const metas = await composition.stores.playbooks.listMeta();
      return { status: 200, body: metas.map(toMetaWire) };
    },
  },
  {
    name: 'playbook-read',
    method: 'GET',
    path: 'playbook/{playbookId}',
    needs: 'playbook:read',
    tag,
    summary: 'One stored playbook, exactly as it was submitted',
    parameters: [playbookIdParameter],
    answers: { 200: { description: 'The playbook', schema: playbook } },
    refusals: ['playbook-missing'],
    handle: async ({ composition, param }) => {
      const id = playbookIdOf(param('playbookId'));
      const document = await composition.stores.playbooks.get(id);
      if (document === undefined) throw new Refusal('playbook-missing', id);
      return { status: 200, body: document };
    },
  },
  {
    name: 'playbook-replace',
    method: 'PUT',
    path: 'playbook/{playbookId}',
    needs: 'playbook:write',
    tag,
    summary: 'Replace a stored playbook; running executions keep the one they were started with',
    parameters: [playbookIdParameter, lenientParameter],
    body: { schema: playbook, required: true },
    answers: { 200: { description: 'The stored playbook', schema: playbook } },
    refusals: [
      'playbook-invalid',
      'playbook-missing',
      'playbook-id-mismatch',
      'query-invalid',
      'body-too-large',
    ],
    handle: async ({ composition, caller, param, json, query }) => {
      const kept = { ...keeping(composition), drafts: isLenient(query) };
      const id = playbookIdOf(param('playbookId'));
      const document = requireObject(await json());
      const stored = await replacePlaybook(kept, id, document, callerLabel(caller));
      return { status: 200, body: stored };
    },
  },
  {
    name: 'playbook-remove',
    method: 'DELETE',
    path: 'playbook/{playbookId}',
    needs: 'playbook:write',
    tag,
    summary: 'Remove a stored playbook',
    parameters: [playbookIdParameter],
    answers: { 200: { description: 'It is removed' } },
    refusals: ['playbook-missing'],
    handle: async ({ composition, caller, param }) => {
      const id = playbookIdOf(param('playbookId'));
      await removePlaybook(keeping(composition), id, callerLabel(caller));
      return { status: 200, text: '' };
    },
  },
];

/** What is not even an identifier is not stored either. */
export function playbookIdOf(text: string): PlaybookId {
  const id = parsePlaybookId(text);
  if (id === undefined) throw new Refusal('playbook-missing', text);
  return id;
}

function isLenient(query: URLSearchParams): boolean {
  const text = query.get('lenient');
  if (text !== null && text !== 'true' && text !== 'false') {
    throw new Refusal('query-invalid', 'lenient', 'it is true or false');
  }
  return text === 'true';
}

function keeping({ stores, bench, securityLog }: Composition) {
  return { playbooks: stores.playbooks, check: bench.check, securityLog };
}
