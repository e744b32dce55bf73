import { issueCommandLinePass } from '@nolo/kit/commandLinePass';
import { newId, type UserId } from '@nolo/kit/ids';
import { announcementLimits } from '@nolo/rules';
import { createOperatorFixtures } from './operatorFixtures.ts';
import { captureRefusal, shareIdentity, testCallerOf } from './startIdentity.ts';

const identity = shareIdentity();
const { command, refusedCommand, operator, about } = createOperatorFixtures(identity);

const dayMs = 86_400_000;

test('actions in other services are audited first, by operators and for their own actions only', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  const details = { part: 'social', kind: 'job', queue: 'publishing', work: newId() };
  await identity.operators.recordAct({ ...testCallerOf(opal), action: 'work_retried', details });
  const ended = { action: 'room_ended', userId: ada.id, reason: 'A test.', details: { room: newId() } };
  await identity.operators.recordAct({ ...testCallerOf(opal), ...ended });
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 2 });
  expect(acts).toMatchObject([
    { action: 'room_ended', operatorId: opal.id, userId: ada.id, reason: 'A test.' },
    { action: 'work_retried', operatorId: opal.id, details: JSON.stringify(details, Object.keys(details).toSorted()) },
  ]);
  for (const [caller, act, code] of [
    [testCallerOf(ada), {}, 'not_operator'],
    [{ actorId: ada.id, sessionId: opal.sessionId }, {}, 'not_operator'],
    [testCallerOf(opal), { action: 'account_deleted' }, 'act_invalid'],
    [testCallerOf(opal), { details: { part: 'x'.repeat(101) } }, 'act_invalid'],
    [testCallerOf(opal), { reason: 'x'.repeat(501) }, 'reason_invalid'],
  ] as const) {
    const attempt = identity.operators.recordAct({ ...caller, action: 'work_retried', details, ...act });
    expect({ act, ...(await captureRefusal(attempt)) }).toMatchObject({ act, code });
  }
});

test('a command with a pass can use other services, audits its actions, and gets nothing else', async () => {
  const opal = await operator();
  const command = await issueCommandLinePass(identity.redis);
  await identity.operators.checkOperator(command);
  const act = { action: 'room_ended', reason: 'A test.', details: { room: newId() } };
  await identity.operators.recordAct({ ...command, ...act });
  const [last] = (await identity.operators.listActs({ ...testCallerOf(opal), limit: 1 })).acts;
  expect(last).toMatchObject({ action: 'room_ended', operatorId: undefined, details: JSON.stringify(act.details) });
  const refused = { kind: 'forbidden', code: 'not_operator' };
  expect(await captureRefusal(identity.operators.listActs(command))).toMatchObject(refused);
  const other = { ...command, sessionId: newId() };
  expect(await captureRefusal(identity.operators.checkOperator(other))).toMatchObject(refused);
  expect(await captureRefusal(identity.operators.recordAct({ ...other, ...act }))).toMatchObject(refused);
});

test('only operators make announcements, and each action is audited', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  const until = new Date(identity.clock.now().getTime() + dayMs);
  const draft = { texts: { en: 'Away on Sunday.' }, severity: 'info', until };
  for (const caller of [testCallerOf(ada), { actorId: ada.id, sessionId: opal.sessionId }]) {
    for (const attempt of [
      identity.announcements.createAnnouncement({ ...caller, ...draft }),
      identity.announcements.listAnnouncements(caller),
      identity.announcements.endAnnouncement({ ...caller, announcementId: newId() }),
    ]) {
      expect(await captureRefusal(attempt)).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
    }
  }
  const made = await identity.announcements.createAnnouncement({ ...testCallerOf(opal), ...draft });
  const [line = ''] = await command('announce', 'Away on Monday.', '--de', 'Montag nicht da.', '--severity', 'warning');
  const shown = async () =>
    (await identity.announcements.listCurrentAnnouncements({})).announcements.map(({ texts }) => texts);
  expect(await shown()).toEqual([draft.texts, { en: 'Away on Monday.', de: 'Montag nicht da.' }]);
  const [id = ''] = line.split('  ');
  expect(await command('announcements', 'end', id)).toEqual([expect.stringContaining('ended')]);
  expect(await refusedCommand('announcements', 'end', id)).toContain('no current announcement');
  expect(await refusedCommand('announce', 'x'.repeat(announcementLimits.length + 1))).toContain('at most');
  expect((await command('announcements')).length).toBe(2);
  await identity.announcements.endAnnouncement({ ...testCallerOf(opal), announcementId: made.id });
  expect(await shown()).toEqual([]);
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 4 });
  expect(acts.map(({ action, operatorId }) => [action, operatorId])).toEqual([
    ['announcement_ended', opal.id],
    ['announcement_ended', undefined],
    ['announcement_made', undefined],
    ['announcement_made', opal.id],
  ]);
  for (let n = 0; n < announcementLimits.atOnce; n += 1) await command('announce', 'One of many.', '--days', '1');
  const more = identity.announcements.createAnnouncement({ ...testCallerOf(opal), ...draft });
  expect(await captureRefusal(more)).toMatchObject({ kind: 'conflict', code: 'too_many_announcements' });
  identity.clock.advance(dayMs);
  expect(await shown()).toEqual([]);
});

test('concurrent actions form one chain, page by page', async () => {
  const opal = await operator();
  const people = await Promise.all(Array.from({ length: 8 }, () => identity.signUp()));
  await Promise.all(people.map((person) => identity.operators.signOutAccount(about(opal, person))));
  const page = await identity.operators.listActs({ ...testCallerOf(opal), limit: 5 });
  const next = await identity.operators.listActs({ ...testCallerOf(opal), limit: 5, cursor: page.nextCursor });
  const positions = [...page.acts, ...next.acts].map(({ position = 0 }) => position);
  expect(positions).toEqual(Array.from({ length: 10 }, (_none, index) => (positions[0] ?? 0) - index));
  const { entries, head, brokenAt } = await identity.operators.verifyActs(testCallerOf(opal));
  expect({ entries, head, brokenAt }).toEqual({ entries: positions[0], head: page.acts[0]?.hash, brokenAt: undefined });
});

test('audit entries cannot be changed or deleted, and tampering is detected', async () => {
  const opal = await operator();
  await identity.operators.signOutAccount(about(opal, await identity.signUp()));
  const { db } = identity;
  await expect(db('operator_acts').update({ reason: 'Nicer' })).rejects.toThrow('never changed');
  await expect(db('operator_acts').delete()).rejects.toThrow('never changed');
  await expect(db.raw('truncate operator_acts')).rejects.toThrow('never changed');

  const verify = () => identity.operators.verifyActs(testCallerOf(opal));
  const { entries = 0, head = '' } = await verify();
  expect((await command('audit', 'verify', '--head', head))[0]).toContain(head);
  const exported = (await command('audit', 'export')).map((line) => JSON.parse(line) as { hash: string });
  expect([exported.length, exported.at(-1)?.hash]).toEqual([entries, head]);

  /** Modifies the audit as the database owner could. */
  const tamper = (operation: string, ...bindings: (string | number)[]) =>
    db.transaction(async (trx) => {
      await trx.raw('alter table operator_acts disable trigger operator_acts_append_only');
      await trx.raw(operation, bindings);
      await trx.raw('alter table operator_acts enable trigger operator_acts_append_only');
    });
  const kept = (await db('operator_acts').where({ position: entries }).first()) as Record<string, string | number>;
  // Truncation leaves the remaining entries valid, but the recorded hash is missing.
  await tamper('delete from operator_acts where position = ?', entries);
  expect(await verify()).toMatchObject({ entries: entries - 1 });
  expect(await refusedCommand('audit', 'verify', '--head', head)).toContain('cut off');
  await db('operator_acts').insert(kept);
  expect((await command('audit', 'verify', '--head', head))[0]).toContain(`${entries} entries`);

  await tamper("update operator_acts set reason = 'Nicer' where position = ?", entries - 1);
  expect((await verify()).brokenAt).toBe(entries - 1);
  expect(await refusedCommand('audit', 'verify')).toContain(`entry ${entries - 1} `);
});

test("an account's export contains what operators did to it, but not who", async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  await identity.operators.signOutAccount(about(opal, ada, { reason: 'Lost their phone.' }));
  const { sessionId } = await identity.signIn(ada.phoneNumber);
  const { json } = await identity.client.exportAccount({ actorId: ada.id, sessionId });
  const acts = [{ action: 'account_signed_out', reason: 'Lost their phone.', at: expect.any(String) as string }];
  expect(JSON.parse(json)).toMatchObject({ acts, suspensions: [] });
  expect(json).not.toContain(opal.id as UserId);
});
