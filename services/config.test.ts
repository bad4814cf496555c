import { describe, expect, test } from 'bun:test';
import { loadConfig } from './config.ts';
import type { Fault } from './kit/fault.ts';

const TOKEN = 'a-token-shared-by-the-services';
const ELSEWHERE = { SPACES_URL: 'http://127.0.0.1:4501', ORCHESTRATION_URL: 'http://127.0.0.1:4503' };

function faultsOf(env: Record<string, string>): unknown {
  try {
    return loadConfig(env);
  } catch (error) {
    expect((error as Fault).code).toBe('invalid_configuration');
    return (error as Fault).detail.faults;
  }
}

describe('each wrong setting is named by its variable', () => {
  test.each(['65536', '-1', 'http', '80.5'])('the port %s', (port) => {
    expect(faultsOf({ CONTROL_CENTER_PORT: port })).toEqual([
      'CONTROL_CENTER_PORT: must be a whole number from 0 to 65535 (0 takes a free one)',
    ]);
  });

  test('all of several', () => {
    const faults = faultsOf({
      SERVICES: 'runs,mail',
      SPACES_URL: 'x:1',
      CONTROL_CENTER_CONCURRENCY: 'many',
      CONTROL_CENTER_SERVICE_TOKEN: 'short',
    });
    expect(faults).toEqual([
      expect.stringMatching(/^SERVICES: .*"orchestration"/),
      'SPACES_URL: must be an http or https URL',
      'CONTROL_CENTER_SERVICE_TOKEN: must be at least 16 characters',
      'CONTROL_CENTER_CONCURRENCY: must be a whole number from 1 to 200',
    ]);
  });
});

describe('what agents may fetch besides the public internet', () => {
  test('is nothing unless told, host and port each', () => {
    expect(loadConfig({}).fetchAllow).toEqual([]);
    const told = { CC_FETCH_ALLOW: ' Docs.Intern:8080, 10.0.0.8:80 ,[::1]:9000,' };
    expect(loadConfig(told).fetchAllow).toEqual(['docs.intern:8080', '10.0.0.8:80', '[::1]:9000']);
  });

  test.each(['intern', 'http://intern:80', '*:80', 'intern:http'])('%s is none', (entry) => {
    expect(faultsOf({ CC_FETCH_ALLOW: entry })).toEqual([
      expect.stringMatching(/^CC_FETCH_ALLOW: must be host:port/),
    ]);
  });
});

describe('pull requests', () => {
  test('are looked for at github.com, without a token or a secret, unless told', () => {
    expect(loadConfig({}).github).toEqual({
      ...{ apiUrl: 'https://api.github.com', token: null, webhookSecret: null },
    });
    const own = { GITHUB_API_URL: 'https://git.example/api/v3', GITHUB_TOKEN: 'ghp_x' };
    expect(loadConfig({ ...own, GITHUB_WEBHOOK_SECRET: TOKEN }).github).toEqual({
      ...{ apiUrl: 'https://git.example/api/v3', token: 'ghp_x', webhookSecret: TOKEN },
    });
  });

  test('what is wrong is named, and nothing secret is repeated', () => {
    const faults = faultsOf({
      ...{ GITHUB_API_URL: 'git.example', GITHUB_TOKEN: 'two words', GITHUB_WEBHOOK_SECRET: 'short' },
    });
    expect(faults).toEqual([
      expect.stringMatching(/^GITHUB_API_URL: /),
      'GITHUB_TOKEN: must be one word without blanks',
      'GITHUB_WEBHOOK_SECRET: must be at least 16 characters',
    ]);
    expect(JSON.stringify(faults)).not.toMatch(/two words|short/);
  });
});

describe('addresses that cannot be meant', () => {
  const runs = { SERVICES: 'runs', ...ELSEWHERE, CONTROL_CENTER_SERVICE_TOKEN: TOKEN };

  test('a service that runs here, at another port', () => {
    expect(faultsOf({ CONTROL_CENTER_PORT: '4500', RUNS_URL: 'http://127.0.0.1:4502' })).toEqual([
      expect.stringContaining('RUNS_URL says http://127.0.0.1:4502'),
    ]);
  });

  test('a service that runs elsewhere, at this very address', () => {
    expect(faultsOf({ ...runs, CONTROL_CENTER_PORT: '4501' })).toEqual([
      expect.stringContaining("SPACES_URL is this server's own address"),
    ]);
  });

  test('one environment may tell all services where each of them runs', () => {
    const config = loadConfig({ ...runs, RUNS_URL: 'http://127.0.0.1:4502', CONTROL_CENTER_PORT: '4502' });
    expect(config).toMatchObject({ services: ['runs'], port: 4502 });
  });
});
