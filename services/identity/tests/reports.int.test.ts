import { newId } from '@nolo/kit/ids';
import type { CreateReportRequest } from '@nolo/proto/reports';
import { limits, reportPictureLimits } from '@nolo/rules';
import { createReportStore } from '../src/store/reports.ts';
import { createTestCommandLine } from './testCommandLine.ts';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const command = (...argv: string[]) => createTestCommandLine(identity).command(...argv);

const operator = async (): Promise<TestPerson> => {
  const person = await identity.signUp('Opal', 'Osei');
  await command('operators', 'add', person.phoneNumber);
  return person;
};
const sentAt = new Date('2026-11-20T10:00:00.000Z');
const report = (by: TestPerson, reported: TestPerson, more: Partial<CreateReportRequest> = {}) =>
  identity.reports.createReport({
    actorId: by.id,
    kind: 'message',
    targetId: newId(),
    reportedId: reported.id,
    category: 'harassment',
    note: '  Again and again. ',
    messages: [{ senderId: reported.id, sentAt, text: 'You there.' }],
    ...more,
  });
const exportOf = async (person: TestPerson) =>
  JSON.parse((await identity.client.exportAccount(testCallerOf(person))).json) as { reports: unknown[] };

test('reports reach operators, who take them on and close them, each step audited', async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await identity.signUp('Ben')];
  const { id = '' } = await report(ada, ben);
  const { reports } = await identity.reports.listReports({ ...testCallerOf(opal), state: 'open' });
  expect(reports[0]).toMatchObject({
    id,
    reporterId: ada.id,
    reportedId: ben.id,
    note: 'Again and again.',
    messages: [{ senderId: ben.id, sentAt, text: 'You there.' }],
    state: 'open',
    outcome: undefined,
    notes: [],
  });
  const change = (state: string, outcome?: string) =>
    identity.reports.changeReport({ ...testCallerOf(opal), reportId: id, state, outcome, note: `To ${state}.` });
  expect(await change('in_progress')).toMatchObject({ state: 'in_progress' });
  expect(await captureRefusal(change('closed'))).toMatchObject({ code: 'report_invalid' });
  expect(await captureRefusal(change('open', 'warned'))).toMatchObject({ code: 'report_invalid' });
  identity.clock.advance(1);
  const closed = await change('closed', 'warned');
  expect(closed).toMatchObject({ state: 'closed', outcome: 'warned' });
  expect(closed.notes.map(({ text, operatorId }) => [text, operatorId])).toEqual([
    ['To in_progress.', opal.id],
    ['To closed.', opal.id],
  ]);
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 3 });
  expect(acts.map(({ action, userId }) => [action, userId])).toEqual([
    ['report_changed', ben.id],
    ['report_changed', ben.id],
    ['reports_read', undefined],
  ]);
  expect(acts[0]?.details).toBe(JSON.stringify({ outcome: 'warned', report: id, state: 'closed' }));
  expect((await command('audit', 'verify'))[0]).toContain('all unchanged');
});

test('reloading reports within minutes is one audit entry, and new reports are another', async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await identity.signUp('Ben')];
  await report(ada, ben);
  const readReports = () => identity.reports.listReports({ ...testCallerOf(opal), state: 'open' });
  const countAuditedReads = async () => {
    const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 100 });
    return acts.filter(({ action, operatorId }) => action === 'reports_read' && operatorId === opal.id).length;
  };
  await readReports();
  await readReports();
  expect(await countAuditedReads()).toBe(1);
  await report(ada, ben);
  await readReports();
  await readReports();
  expect(await countAuditedReads()).toBe(2);
  identity.clock.advance((limits.reportLookMinutes + 1) * 60_000);
  // Operators' proof lasts a quarter of an hour, longer than this.
  await readReports();
  expect(await countAuditedReads()).toBe(3);
});

test('a status picture is reported only by choice, visible only to operators, and deleted with the report', async () => {
  const [opal, ada, ben] = [await operator(), await identity.signUp('Ada'), await identity.signUp('Ben')];
  const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_000, 7)]);
  const { id = '' } = await report(ada, ben, { kind: 'status', picture });
  const { id: plain = '' } = await report(ada, ben, { kind: 'status' });
  const { reports } = await identity.reports.listReports(testCallerOf(opal));
  const listed = new Map(reports.map((one) => [one.id, one.hasPicture]));
  expect([listed.get(id), listed.get(plain)]).toEqual([true, false]);
  expect((await command('reports', 'list')).join()).toContain('with a picture');
  const readReports = (person: TestPerson, reportId: string) =>
    identity.reports.getReportPicture({ ...testCallerOf(person), reportId });
  const seen = await readReports(opal, id);
  expect([seen.type, Buffer.from(seen.content ?? []).equals(picture)]).toEqual(['image/jpeg', true]);
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 1 });
  expect(acts).toMatchObject([{ action: 'report_picture_seen', details: JSON.stringify({ report: id }) }]);
  for (const person of [ada, ben])
    expect(await captureRefusal(readReports(person, id))).toMatchObject({ code: 'not_operator' });
  expect(await captureRefusal(readReports(opal, plain))).toMatchObject({ kind: 'not_found', code: 'report_not_found' });
  for (const more of [
    { kind: 'message', picture },
    { kind: 'status', picture: Buffer.from('<svg onload="alert(1)"/>') },
    { kind: 'status', picture: Buffer.concat([picture, Buffer.alloc(reportPictureLimits.bytes)]) },
  ]) {
    expect(await captureRefusal(report(ada, ben, more))).toMatchObject({ code: 'report_invalid' });
  }
  await identity.erase(ben);
  expect(await identity.db('report_pictures')).toEqual([]);
});

test('the command line lists, takes and closes reports', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const { id = '' } = await report(ada, ben);
  const [line] = (await command('reports', 'list', '--state', 'open')).filter((one) => one.startsWith(id));
  expect(line).toContain('harassment');
  await command('reports', 'take', id, '--reason', 'Looking at it.');
  await expect(command('reports', 'close', id, '--reason', 'Done.')).rejects.toThrow('--outcome');
  const lines = await command('reports', 'close', id, '--outcome', 'nothing', '--reason', 'A joke among friends.');
  expect(lines.at(-1)).toContain('command line noted: A joke among friends.');
  await expect(command('reports', 'close', newId(), '--outcome', 'nothing', '--reason', 'x')).rejects.toThrow(
    'no longer exists',
  );
});

test('only operators can read or change reports, and invalid ones are rejected', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const { id } = await report(ada, ben);
  const refused = { kind: 'forbidden', code: 'not_operator' };
  expect(await captureRefusal(identity.reports.listReports(testCallerOf(ada)))).toMatchObject(refused);
  const change = { ...testCallerOf(ada), reportId: id, state: 'in_progress', note: 'x' };
  expect(await captureRefusal(identity.reports.changeReport(change))).toMatchObject(refused);
  const message = { senderId: ben.id, sentAt, text: 'x' };
  for (const more of [
    { kind: 'weather' },
    { category: 'boredom' },
    { targetId: 'nonsense' },
    { reportedId: ada.id },
    { reportedId: undefined },
    { note: 'x'.repeat(limits.reportNoteLength + 1) },
    { messages: Array(limits.reportMessages + 1).fill(message) },
    { messages: [{ ...message, text: 'x'.repeat(limits.reportTextLength + 1) }] },
    { messages: [{ ...message, sentAt: undefined }] },
  ]) {
    expect(await captureRefusal(report(ada, ben, more as object))).toMatchObject({ code: 'report_invalid' });
  }
  expect(await captureRefusal(report(ada, ben, { reportedId: newId() }))).toMatchObject({ code: 'user_not_found' });
});

test("a report is in its reporter's export, and is deleted over time and with accounts", async () => {
  const [opal, ada, ben, cleo] = [
    await operator(),
    await identity.signUp('Ada'),
    await identity.signUp('Ben'),
    await identity.signUp('Cleo'),
  ];
  const { id = '' } = await report(ada, ben);
  const ofGroup = await report(ada, ben, { kind: 'group', reportedId: undefined });
  const ofCleo = await report(ada, cleo);
  const own = await exportOf(ada);
  expect(own.reports).toHaveLength(3);
  expect(own.reports[0]).toMatchObject({ category: 'harassment', note: 'Again and again.', state: 'open' });
  expect((await exportOf(ben)).reports).toEqual([]);

  await identity.erase(cleo);
  await identity.erase(ada);
  const listed = async () => {
    const { reports } = await identity.reports.listReports(testCallerOf(opal));
    return new Map(reports.map((one) => [one.id, one]));
  };
  const left = await listed();
  expect(left.has(ofCleo.id)).toBe(false);
  expect(left.get(id)).toMatchObject({ reporterId: undefined, note: undefined, reportedId: ben.id });

  const closed = { state: 'closed', outcome: 'removed', note: 'It is gone.' };
  await identity.reports.changeReport({ ...testCallerOf(opal), reportId: ofGroup.id, ...closed });
  const sweep = (days: number) =>
    createReportStore(identity.db).sweep(new Date(identity.clock.now().getTime() + days * 86_400_000));
  await sweep(limits.reportKeptDays - 1);
  expect((await listed()).has(ofGroup.id)).toBe(true);
  await sweep(limits.reportKeptDays + 1);
  const kept = await listed();
  expect([kept.has(ofGroup.id), kept.has(id)]).toEqual([false, true]);
});
