import type { HeaderLine } from '@nolo/client/keys/conversations/types';
import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { notesTexts } from '../words/describeSystemMessage.ts';
import { describeLines } from './describeLines.ts';
import { sealedRowsTexts } from './sealedRowsTexts.ts';

const t = getTranslate(createI18n(), sealedRowsTexts, notesTexts);
const names = { selfId: 'me', nameOf: (id: string) => id.toUpperCase(), locale: 'en-GB' };
const line = (by: string | null, change: HeaderLine['change']): HeaderLine => ({ seq: 1, epoch: 1, at: 0, by, change });
const describe = (...lines: readonly HeaderLine[]) => describeLines(lines, names, t).map(({ text }) => text);

test('lines say who signed a change, to the reader and to others', () => {
  expect(describe(line('ada', { kind: 'removed', userId: 'ben' }))).toEqual(['ADA removed BEN']);
  expect(describe(line('me', { kind: 'role', userId: 'ben', role: 1 }))).toEqual(['You made BEN an admin']);
  expect(describe(line('ada', { kind: 'role', userId: 'me', role: 2 }))).toEqual(['ADA handed the group over to you']);
  expect(describe(line('ada', { kind: 'timer', seconds: 0 }))).toEqual(['ADA turned off disappearing messages']);
  expect(describe(line('ada', { kind: 'admission', isOpen: true }))).toEqual(['ADA let anyone with the code join']);
  expect(describe(line('ben', { kind: 'left', userId: 'ben' }))).toEqual(['BEN left']);
});

test('handing a group over is one line', () => {
  const [up, down] = [
    line('me', { kind: 'role', userId: 'ben', role: 2 }),
    line('me', { kind: 'role', userId: 'me', role: 1 }),
  ];
  expect(describe(down, up)).toEqual(['You handed the group over to BEN']);
  expect(describe(line('ada', { kind: 'role', userId: 'ada', role: 0 }))).toEqual(['ADA removed ADA as an admin']);
});

test('people whom one member added at once are one line', () => {
  const added = (by: string, userId: string) => line(by, { kind: 'added', userId });
  expect(describe(added('ada', 'ben'), added('ada', 'cleo'), added('cleo', 'dan'))).toEqual([
    'ADA added BEN and CLEO',
    'CLEO added DAN',
  ]);
});

test('a change that no member signed is said to be one', () => {
  expect(describe(line(null, { kind: 'removed', userId: 'ben' }))).toEqual([
    'The server removed BEN, without a member’s signature',
  ]);
  expect(describe(line(null, { kind: 'joined', userId: 'ben' }))).toEqual(['Joined with the code: BEN']);
  expect(describe(line(null, { kind: 'added', userId: 'ben' }))).toEqual(['Joined with an invitation link: BEN']);
  expect(describe(line('ada', { kind: 'started_by_server_members' }))).toEqual([
    'The server supplied the people with whom encryption started.',
  ]);
});

test('people and devices that changed are named', () => {
  expect(describe(line(null, { kind: 'identity_changed', userId: 'ben' }))).toEqual(['BEN has new keys']);
  expect(describe(line('ada', { kind: 'device_left_out', userId: 'me', device: 'd' }))).toEqual([
    'One of your devices can’t read new messages here for now',
  ]);
  expect(describe(line(null, { kind: 'device_added', userId: 'ben' }))).toEqual([
    'BEN reads messages here on a new device too',
  ]);
  expect(describe(line('ben', { kind: 'renewed' }))).toEqual(['BEN renewed the encryption']);
});
