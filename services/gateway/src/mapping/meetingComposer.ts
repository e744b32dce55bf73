import type { Meeting } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Meeting as MeetingRow } from '@nolo/proto/meetings';
import { normalizeRoomCode } from '@nolo/rules';
import type { Clients } from '../clients.ts';
import { toMeeting } from './meetings.ts';
import { findPeople } from './findPeople.ts';

/** Names a meeting for a request. Codes may contain dashes or not. */
export function toMeetingRequest(actorId: string, roomCode: string, address = '') {
  return { actorId, roomCode: normalizeRoomCode(roomCode), address };
}

export const toDate = (time: string | null | undefined) => (time ? new Date(time) : undefined);

/** Builds API meetings from rows of the meetings service, including the people in them. */
export function createMeetingComposer(context: Pick<Clients, 'identity'>) {
  const composeAll = async (viewerId: string, rows: readonly MeetingRow[], rpc: RpcCallOptions): Promise<Meeting[]> => {
    const people = await findPeople(
      context,
      viewerId,
      rows.flatMap(({ participantIds }) => participantIds),
      rpc,
    );
    return rows.map((row) => toMeeting(row, people));
  };
  const compose = async (viewerId: string, row: MeetingRow, rpc: RpcCallOptions): Promise<Meeting> => {
    const [meeting] = await composeAll(viewerId, [row], rpc);
    return meeting ?? toMeeting(row);
  };
  return { compose, composeAll };
}
