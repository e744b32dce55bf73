import { barredHostLimits } from '@nolo/rules';
import { createTestCommandLine } from './testCommandLine.ts';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const command = (...argv: string[]) => createTestCommandLine(identity).command(...argv);
const refusedCommand = (...argv: string[]) => createTestCommandLine(identity).refusedCommand(...argv);
const operator = async (): Promise<TestPerson> => {
  const person = await identity.signUp('Opal', 'Osei');
  await command('operators', 'add', person.phoneNumber);
  return person;
};
const current = async (knownVersion?: string) => identity.barredHosts.listCurrentBarredHosts({ knownVersion });
const reason = 'It asks for passwords.';
afterEach(async () => {
  await identity.db('barred_hosts').delete();
});

test('a barred host is in the public list, with an audit entry for each', async () => {
  const opal = await operator();
  const before = await current();
  expect(await current(before.version)).toEqual({ version: before.version, hosts: [] });
  const bar = (hosts: string[], withSubdomains: boolean) =>
    identity.barredHosts.barHosts({ ...testCallerOf(opal), hosts, withSubdomains, reason });
  const { hosts } = await bar(['https://Wide.example/login', 'bücher.example.'], true);
  expect(hosts).toMatchObject([
    { host: 'wide.example', withSubdomains: true, since: identity.clock.now() },
    { host: 'xn--bcher-kva.example', withSubdomains: true },
  ]);
  // Repeating an entry changes nothing; changing its scope does.
  expect((await bar(['wide.example', 'wide.example'], true)).hosts).toEqual([]);
  expect((await bar(['wide.example', 'exact.example'], false)).hosts).toMatchObject([
    { host: 'exact.example' },
    { host: 'wide.example', withSubdomains: false },
  ]);
  const after = await current(before.version);
  expect(after.hosts).toEqual(['exact.example', 'wide.example', '*.xn--bcher-kva.example']);
  expect(after.version).not.toBe(before.version);

  await identity.barredHosts.unbarHost({ ...testCallerOf(opal), host: 'wide.example', reason: 'It has been fixed.' });
  const retry = identity.barredHosts.unbarHost({ ...testCallerOf(opal), host: 'wide.example', reason });
  expect(await captureRefusal(retry)).toMatchObject({ kind: 'not_found', code: 'barred_host_not_found' });
  expect((await current(after.version)).hosts).toEqual(['exact.example', '*.xn--bcher-kva.example']);
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 5 });
  expect(acts.map(({ action, operatorId, reason: why, details }) => [action, operatorId, why, details])).toEqual([
    ['host_unbarred', opal.id, 'It has been fixed.', '{"host":"wide.example"}'],
    ['host_barred', opal.id, reason, '{"host":"wide.example","subdomains":false}'],
    ['host_barred', opal.id, reason, '{"host":"exact.example","subdomains":false}'],
    ['host_barred', opal.id, reason, '{"host":"xn--bcher-kva.example","subdomains":true}'],
    ['host_barred', opal.id, reason, '{"host":"wide.example","subdomains":true}'],
  ]);
  expect((await command('audit', 'verify'))[0]).toContain('all unchanged');
});

test('operators page through barred hosts, and find one by part of its name', async () => {
  const opal = await operator();
  await command('hosts', 'bar', 'c.example, a.example\nb.test', '--reason', reason);
  const list = (more: object) => identity.barredHosts.listBarredHosts({ ...testCallerOf(opal), ...more });
  const first = await list({ limit: 2 });
  expect(first.hosts.map(({ host }) => host)).toEqual(['a.example', 'b.test']);
  const second = await list({ limit: 2, cursor: first.nextCursor });
  expect([second.hosts.map(({ host }) => host), second.nextCursor]).toEqual([['c.example'], undefined]);
  expect((await list({ query: ' .EXAMPLE' })).hosts.map(({ host }) => host)).toEqual(['a.example', 'c.example']);
  expect((await list({ query: 'https://b.test/x' })).hosts.map(({ host }) => host)).toEqual(['b.test']);
  expect((await list({ query: 'a\0' })).hosts).toEqual([]);
  expect(await captureRefusal(list({ cursor: 'nonsense' }))).toMatchObject({ code: 'cursor_invalid' });
});

test('only operators can see or change them; invalid hosts, too many or no reason are rejected', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  const bar = (caller: object, more: object = {}) =>
    identity.barredHosts.barHosts({ ...caller, hosts: ['evil.example'], withSubdomains: true, reason, ...more });
  for (const caller of [testCallerOf(ada), { actorId: ada.id, sessionId: opal.sessionId }]) {
    for (const attempt of [
      bar(caller),
      bar(caller, { hosts: ['com'] }),
      identity.barredHosts.listBarredHosts(caller),
      identity.barredHosts.unbarHost({ ...caller, host: 'evil.example', reason }),
    ]) {
      expect(await captureRefusal(attempt)).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
    }
  }
  for (const [hosts, host] of [
    [['com'], 'com'],
    [['evil.example', 'https://CO.UK./'], 'co.uk'],
    [['github.io'], 'github.io'],
  ] as const) {
    const refused = await captureRefusal(bar(testCallerOf(opal), { hosts }));
    expect(refused).toMatchObject({ kind: 'invalid', code: 'barred_host_public', details: { host } });
  }
  for (const hosts of [
    [],
    ['nowhere'],
    ['evil.example', 'not a host'],
    Array(barredHostLimits.atOnce + 1).fill('a.example'),
  ]) {
    const refused = await captureRefusal(bar(testCallerOf(opal), { hosts }));
    expect(refused).toMatchObject({ kind: 'invalid', code: 'barred_host_invalid' });
  }
  expect(await captureRefusal(bar(testCallerOf(opal), { reason: ' ' }))).toMatchObject({ code: 'reason_invalid' });
  expect((await current()).hosts).toEqual([]);

  await identity.db.raw(
    `insert into barred_hosts select 'host' || n || '.example', true, now() from generate_series(1, ?::int) as n`,
    [barredHostLimits.hosts - 1],
  );
  expect((await current()).hosts).toHaveLength(barredHostLimits.hosts - 1);
  const more = await captureRefusal(bar(testCallerOf(opal), { hosts: ['one.test', 'two.test'] }));
  expect(more).toMatchObject({ kind: 'conflict', code: 'too_many_barred_hosts' });
  expect((await bar(testCallerOf(opal), { hosts: ['one.test'] })).hosts).toHaveLength(1);
});

test('the command line lists, bars and unbars hosts', async () => {
  expect(await command('hosts')).toEqual(['No host is blocked.']);
  expect(await command('hosts', 'bar', 'one.example,two.example', '--exact', '--reason', reason)).toEqual([
    'one.example is now blocked.',
    'two.example is now blocked.',
  ]);
  expect(await command('hosts', 'bar', 'one.example', '--exact', '--reason', reason)).toEqual([
    '1 were already blocked.',
  ]);
  expect(await command('hosts', 'unbar', 'one.example', '--reason', reason)).toEqual([
    'one.example is no longer blocked.',
  ]);
  expect(await command('hosts', 'list')).toEqual([expect.stringContaining('two.example  since ')]);
  expect(await refusedCommand('hosts', 'unbar', 'one.example', '--reason', reason)).toContain('not blocked');
  expect(await refusedCommand('hosts', 'bar', 'not/a/host', '--reason', reason)).toContain('not a full host name');
  expect(await refusedCommand('hosts', 'bar', 'github.io', '--reason', reason)).toContain('Many websites share');
  expect(await refusedCommand('hosts', 'bar', 'three.example')).toContain('--reason');
  expect(await refusedCommand('hosts', 'bar', '--reason', reason)).toContain('at least one host');
});
