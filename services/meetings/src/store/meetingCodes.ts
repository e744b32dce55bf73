import type { Knex } from '@nolo/kit/db';
import { newRoomCode } from '@nolo/rules';
import type { MeetingStore } from '../domain/ports.ts';
import { type MeetingRow, updatedMeeting } from './rows.ts';

/** Of 443 million codes hardly one is taken; more tries than this mean that something else is wrong. */
const mostCodeTries = 8;

/** That a group has a room already is nothing that another code would change. */
function isUniqueViolation(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint !== 'meetings_group_room';
}

/** Tries until a code is free. */
export async function withFreeCode<T>(attempt: (code: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(newRoomCode('meeting'));
    } catch (error) {
      if (!isUniqueViolation(error) || tries >= mostCodeTries) throw error;
    }
  }
}

/** The codes by which meetings are found. */
export function createMeetingCodes(db: Knex): Pick<MeetingStore, 'rotateCode' | 'expireCode'> {
  return {
    rotateCode: (id, expiresAt, now) =>
      withFreeCode((roomCode) =>
        updatedMeeting(
          db<MeetingRow>('meetings')
            .where({ id, closed: false })
            .update({ room_code: roomCode, last_room_code: roomCode, code_expires_at: expiresAt, updated_at: now }),
        ),
      ),

    expireCode: (id, now) =>
      updatedMeeting(
        db<MeetingRow>('meetings').where({ id, closed: false }).update({ code_expires_at: now, updated_at: now }),
      ),
  };
}
