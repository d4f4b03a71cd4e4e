import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../core/errors/catalogue.ts';
import { errorBody } from '../../../core/errors/error-body.ts';
import { Refusal } from '../../../core/errors/refusal.ts';

describe('a refusal', () => {
  test('has the status of its code and a sentence that names the thing', () => {
    const refusal = new Refusal('playbook-exists', 'playbook--1');

    expect(refusal).toMatchObject({
      name: 'Refusal',
      code: 'playbook-exists',
      status: 409,
      message: 'Playbook playbook--1 is already stored.',
    });
  });

  test('fills every gap of its sentence in order', () => {
    const refusal = new Refusal('variable-type-mismatch', '__x__', 'string', 'integer');

    expect(refusal.message).toBe(
      'The variable __x__ is declared as string; the request says integer.',
    );
  });

  test('leaves braces and dollar signs in an argument alone', () => {
    expect(new Refusal('path-unknown', '/{id}/$&').message).toBe('There is nothing at /{id}/$&.');
  });

  test('repeats no more than the beginning of a huge argument', () => {
    const refusal = new Refusal('path-unknown', 'x'.repeat(100_000));

    expect(refusal.message.length).toBeLessThan(2100);
  });

  test('can carry headers, findings and a cause without changing', () => {
    const plain = new Refusal('method-unknown', 'PUT', '/step');
    const cause = new Error('inner');

    const full = plain.with({ headers: { allow: 'GET' } }, cause).with({ downstreamCall: 'x' });

    expect(full.extra).toEqual({ headers: { allow: 'GET' }, downstreamCall: 'x' });
    expect(full.cause).toBe(cause);
    expect(full.message).toBe(plain.message);
    expect(plain.extra).toEqual({});
  });
});

describe('the body of an error answer', () => {
  test('holds the status as text, the sentence and the call', () => {
    const body = errorBody(new Refusal('execution-missing', 'abc'), 'GET /reporter/abc');

    expect(body).toEqual({
      status: '404',
      message: 'There is no execution abc.',
      'original-call': 'GET /reporter/abc',
    });
  });

  test('leaves out what there is nothing to say about', () => {
    const refusal = new Refusal('internal').with({ downstreamCall: '' });

    expect(Object.keys(errorBody(refusal, undefined))).toEqual(['status', 'message']);
  });

  test('lists findings beside the general keys', () => {
    const finding = { rule: 'r', severity: 'error', pointer: '/a', message: 'm' } as const;
    const refusal = new Refusal('playbook-invalid', 'm').with({
      findings: [finding],
      downstreamCall: 'store: gone',
    });

    expect(errorBody(refusal, undefined)).toEqual({
      status: '400',
      message: 'The playbook is not valid: m',
      'downstream-call': 'store: gone',
      findings: [finding],
    });
  });
});

describe('the catalogue', () => {
  const rows = Object.entries(catalogue);

  test.each(rows)(
    '%s has a status of the contract and a sentence',
    (_code, { status, message }) => {
      expect([400, 401, 403, 404, 409, 413, 405, 422, 429, 500, 503]).toContain(status);
      expect(message).toMatch(/^(\{|[A-Z]).*[.}]$/);
    },
  );

  test('says each thing once', () => {
    expect(new Set(rows.map(([, { message }]) => message)).size).toBe(rows.length);
  });

  test('answers 404 for executions, manual commands and what the contract does not name, never for playbooks', () => {
    expect(catalogue['playbook-missing'].status).toBe(400);
    expect(catalogue['execution-missing'].status).toBe(404);
    expect(catalogue['manual-missing'].status).toBe(404);
  });
});
