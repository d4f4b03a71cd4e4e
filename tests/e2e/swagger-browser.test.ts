/** The API browser in a real browser. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peer } from '../peers/require-peer.ts';
import { type Service, startService } from '../support/service.ts';

const executablePath = '/usr/bin/chromium';
const skip = peer('Chromium', 'apt-get install chromium', existsSync(executablePath));

describe.skipIf(skip)('the API browser', () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService();
    const quiet = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({
      executablePath,
      args: [...quiet, '--disable-component-update', '--disable-sync'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test('shows every group of endpoints and tries one out', async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));

    await page.goto(`${service.url}/swagger/index.html`);
    await page.waitForSelector('#operations-status-status-ping');
    await page.click('#operations-status-status-ping .opblock-summary');
    await page.click('#operations-status-status-ping .try-out__btn');
    await page.click('#operations-status-status-ping .execute');
    await page.waitForSelector('#operations-status-status-ping .live-responses-table .response');

    const groups = await page.locator('.opblock-tag').allTextContents();
    const answer = await page
      .locator('#operations-status-status-ping .live-responses-table .response')
      .textContent();
    expect(groups.join(' ')).toMatch(/playbook.*trigger.*reporter.*manual/s);
    expect(answer).toContain('pong');
    expect(problems).toEqual([]);
  });
});
