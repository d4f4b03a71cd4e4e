import { expect, test } from 'vitest';
import { winRmEndpoint } from '../../../../infra/capabilities/powershell/winrm-endpoint.ts';

function endpointOf(address: object, port?: string): string {
  const found = winRmEndpoint({
    type: 'net-address',
    name: 'host',
    address,
    ...(port === undefined ? {} : { port }),
  });
  return 'url' in found ? found.url.href : found.problem;
}

test.each([
  [{ dname: ['win.corp'], ipv4: ['10.0.0.1'] }, undefined, 'http://win.corp:5985/wsman'],
  [{ ipv4: ['10.0.0.1'], ipv6: ['fe80::1'] }, undefined, 'http://10.0.0.1:5985/wsman'],
  [{ ipv6: ['2001:db8::1'] }, '5986', 'https://[2001:db8::1]:5986/wsman'],
  [{ ipv4: ['10.0.0.1'] }, '5986', 'https://10.0.0.1:5986/wsman'],
  [{ ipv4: ['10.0.0.1'] }, '15985', 'http://10.0.0.1:15985/wsman'],
  [{ url: ['https://win.corp'] }, undefined, 'https://win.corp:5986/wsman'],
  [{ url: ['https://win.corp/'] }, '8443', 'https://win.corp:8443/wsman'],
  [{ url: ['https://win.corp:1443/path/wsman'] }, undefined, 'https://win.corp:1443/path/wsman'],
  [{ url: ['http://win.corp'] }, undefined, 'http://win.corp:5985/wsman'],
  [{ url: ['win.corp'] }, undefined, 'http://win.corp:5985/wsman'],
  [{ dname: [''], ipv4: ['10.0.0.1'] }, '', 'http://10.0.0.1:5985/wsman'],
])('the address %j with port %s is reached at %s', (address, port, url) => {
  const expected = new URL(url);

  expect(endpointOf(address, port)).toBe(expected.href);
});

test.each([
  [{}, undefined, 'the target has no usable address'],
  [{ url: ['ftp://win.corp'] }, undefined, 'the target has no usable address'],
  [{ dname: ['not a name'] }, undefined, 'no host can be called not a name'],
  [
    { ipv4: ['10.0.0.1'] },
    '70000',
    'the port of the target is not a number from 1 to 65535: 70000',
  ],
  [{ ipv4: ['10.0.0.1'] }, '-1', 'the port of the target is not a number from 1 to 65535: -1'],
])('the address %j with port %s is refused', (address, port, problem) => {
  expect(endpointOf(address, port)).toBe(problem);
});
