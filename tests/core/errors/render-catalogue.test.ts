import { expect, test } from 'vitest';
import { catalogue } from '../../../core/errors/catalogue.ts';
import { renderErrorsPage } from '../../../core/errors/render-catalogue.ts';

test('the page of errors has a row for every refusal and every rule', () => {
  const page = renderErrorsPage({
    'some-rule': { severity: 'warning', says: 'Form <type>--<uuid>.' },
  });

  for (const code of Object.keys(catalogue)) expect(page).toContain(`| \`${code}\` |`);
  expect(page).toContain('| `some-rule` | warning | Form &lt;type&gt;--&lt;uuid&gt;. |');
});

test('the rows are ordered by status', () => {
  const statuses = [...renderErrorsPage({}).matchAll(/^\| (\d{3}) \|/gm)].map((match) =>
    Number(match[1]),
  );

  expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
});
