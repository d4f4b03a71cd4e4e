import { describe, expect, test } from 'vitest';
import { finCatalogue } from '../../../core/fins/fin-catalogue.ts';
import { finStatus } from '../../../core/fins/fin-status.ts';
import { aCapability, aFin } from '../../support/a-fin.ts';

const idle = () => false;
const busy = () => true;

describe('the status of a fin', () => {
  test('has its own name, or that of its first capability, whose version it shows', () => {
    const capabilities = [aCapability('one', { version: '2.1' }), aCapability('two')];

    expect(finStatus(aFin('a', { capabilities }), idle)).toEqual({
      name: 'capability one',
      status: 'ready',
      id: 'fin-a',
      version: '2.1',
    });
    expect(finStatus(aFin('a', { name: 'Ä' }), idle).name).toBe('Ä');
  });

  test('is running while a command is with it, unless it is stopped', () => {
    expect(finStatus(aFin('a'), busy).status).toBe('running');
    expect(finStatus(aFin('a', { state: 'failed' }), busy).status).toBe('running');
    expect(finStatus(aFin('a', { state: 'failed' }), idle).status).toBe('failed');
    expect(finStatus(aFin('a', { state: 'stopped' }), busy).status).toBe('stopped');
  });
});

test('the catalogue shows the examples of capabilities that can be used', () => {
  const example = { type: 'action', name: 'resolve' };
  const examples = { 'action--1': example, module: { type: 'action' } };
  const capabilities = [aCapability('one', { examples }), aCapability('two')];

  const catalogue = finCatalogue([
    aFin('a', { capabilities }),
    aFin('b', { capabilities, state: 'stopped' }),
  ]);

  expect(catalogue).toEqual([
    { module: 'capability one', category: 'action', context: 'external', 'action--1': example },
  ]);
});
