import { expect, test } from 'vitest';
import { readEndpoints } from '../../../../infra/capabilities/powershell/winrm-endpoint.ts';

function endpointsOf(address: object, port?: string): string {
  const given = port === undefined ? {} : { port };
  const found = readEndpoints({ type: 'net-address', name: 'host', address, ...given });
  return found.ok ? found.urls.join(' ') : found.reason;
}

test.each([
  [
    { ipv4: ['10.0.0.1'], dname: ['win.corp'] },
    undefined,
    'http://win.corp:5985/wsman http://10.0.0.1:5985/wsman',
  ],
  [{ ipv6: ['2001:db8::1'] }, '5986', 'https://[2001:db8::1]:5986/wsman'],
  [{ ipv4: ['10.0.0.1'] }, '15985', 'http://10.0.0.1:15985/wsman'],
  [{ url: ['https://win.corp'] }, undefined, 'https://win.corp:5986/wsman'],
  [{ url: ['https://win.corp/'] }, '8443', 'https://win.corp:8443/wsman'],
  [{ url: ['https://win.corp:1443/path/wsman'] }, undefined, 'https://win.corp:1443/path/wsman'],
  [{ url: ['http://win.corp'] }, undefined, 'http://win.corp:5985/wsman'],
  [{ url: ['http://win.corp:5986'] }, undefined, 'https://win.corp:5986/wsman'],
  [{ url: ['win.corp'] }, undefined, 'http://win.corp:5985/wsman'],
  [{ dname: [''], ipv4: ['10.0.0.1'], url: ['http://other'] }, '', 'http://10.0.0.1:5985/wsman'],
])('the address %j with port %s is reached at %s', (address, port, urls) => {
  expect(endpointsOf(address, port)).toBe(urls);
});

test.each([
  [{}, undefined, 'The target has no usable address.'],
  [{ url: ['ftp://win.corp'] }, undefined, 'The target has no usable address.'],
  [{ ipv4: ['10.0.0.1'] }, '70000', 'The port must be a number from 1 to 65535, not "70000".'],
])('the address %j with port %s is refused', (address, port, reason) => {
  expect(endpointsOf(address, port)).toBe(reason);
});
