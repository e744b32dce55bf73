import type { Session } from '@nolo/api';
import type { KeyDevice } from '@nolo/client/keys/types';
import { toDeviceRows } from './deviceRows.ts';

const session = (id: string, current = false) => ({ id, current }) as Session;
const device = (id: string, sessionId: string | null, more: Partial<KeyDevice> = {}) =>
  ({ id, sessionId, kind: 0, current: false, ...more }) as KeyDevice;

test('a session and its device are one row, the current one first', () => {
  const rows = toDeviceRows([session('s1'), session('s2', true)], [device('d1', 's1'), device('d2', 's2')]);
  expect(rows.map(({ session: s, device: d }) => [s?.id, d?.id])).toEqual([
    ['s2', 'd2'],
    ['s1', 'd1'],
  ]);
});

test('sessions without keys and devices without a session have rows of their own', () => {
  const rows = toDeviceRows([session('s1')], [device('d1', null), device('d2', 'gone')]);
  expect(rows.map(({ session: s, device: d }) => [s?.id, d?.id])).toEqual([
    ['s1', undefined],
    [undefined, 'd1'],
    [undefined, 'd2'],
  ]);
});

test('access tokens are not devices of a person', () => {
  expect(toDeviceRows([], [device('d1', null, { kind: 2 })])).toEqual([]);
});
