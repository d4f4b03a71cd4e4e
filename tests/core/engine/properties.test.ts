/** What holds for every valid playbook, walked by the bare interpreter. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validatePlaybook } from '../../../core/cacao/validation/validate-playbook.ts';
import type { Turn } from '../../../core/engine/effects.ts';
import { generatedPlaybook } from '../../support/generated-playbook.ts';
import { holds } from '../../support/holds.ts';
import { playDry } from '../../support/play.ts';

const manners = fc.constantFrom('sequential', 'concurrent' as const);
const known = { knownCapabilities: new Set(['http-api', 'manual']), agentPrefixes: ['svc'] };

test('generated playbooks are valid and have at most 60 steps', () =>
  holds(
    fc.property(generatedPlaybook(), ({ playbook, children }) => {
      const all = [playbook, ...children];
      const errors = all.flatMap((document) =>
        validatePlaybook(document, known).findings.filter(({ severity }) => severity === 'error'),
      );
      expect(errors).toEqual([]);
      const sizes = all.map(({ workflow }) => Object.keys(workflow as object).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60);
    }),
    150,
  ));

test('a walk always ends, and every step that was begun has ended with it', () =>
  holds(
    fc.property(generatedPlaybook(), manners, (generated, parallel) => {
      const { status, traces } = playDry(generated, parallel);

      expect(status).not.toBe('ongoing');
      expect(traces.flat().filter((step) => step.endsWith(': ongoing'))).toEqual([]);
    }),
    150,
  ));

test('every step an effect or a note names is a step of the plan, and so are the steps around it', () =>
  holds(
    fc.property(generatedPlaybook(), manners, (generated, parallel) => {
      const documents = [generated.playbook, ...generated.children];
      const steps = new Set(documents.flatMap(({ workflow }) => Object.keys(workflow as object)));
      const named: string[] = [];
      const onTurn = ({ effect, notes, state }: Turn) => {
        if ('step' in effect) named.push(effect.step);
        named.push(...notes.flatMap(({ step, scope }) => [step, ...scope]));
        named.push(...state.frames.flatMap(({ cursor }) => (cursor === undefined ? [] : [cursor])));
      };

      playDry(generated, parallel, { onTurn });

      expect(named.filter((step) => !steps.has(step))).toEqual([]);
    }),
    100,
  ));

test('a walk that is written down and read again at every effect goes the same way', () =>
  holds(
    fc.property(generatedPlaybook(), manners, (generated, parallel) => {
      const carry = (turn: Turn): Turn => JSON.parse(JSON.stringify(turn));

      expect(playDry(generated, parallel, { carry })).toEqual(playDry(generated, parallel));
    }),
    150,
  ));

test('invocations are numbered in order, without gap or repetition', () =>
  holds(
    fc.property(generatedPlaybook({ children: false }), (generated) => {
      let last = 0;
      const onTurn = ({ state, effect }: Turn) => {
        expect(state.invocations).toBeGreaterThanOrEqual(last);
        if ('invocation' in effect) expect(effect.invocation).toBeLessThan(state.invocations);
        last = state.invocations;
      };

      playDry(generated, 'sequential', { onTurn });
    }),
    50,
  ));

test('branches that do not touch the same names leave the same variables, however they run', () =>
  holds(
    fc.property(generatedPlaybook({ failures: false, times: false }), (generated) => {
      const one = playDry(generated, 'sequential');
      const other = playDry(generated, 'concurrent');

      expect(one.status).toBe('successfully_executed');
      expect(other.status).toBe(one.status);
      expect(other.variables).toEqual(one.variables);
      expect(other.traces.flat().toSorted()).toEqual(one.traces.flat().toSorted());
    }),
    150,
  ));
