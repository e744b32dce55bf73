import type { Knex } from '@nolo/kit/db';
import { newRoomCode } from '@nolo/rules';
import type { MeetingStore } from '../domain/ports.ts';
import { type MeetingRow, returnUpdatedMeeting } from './rows.ts';

/** Maximum attempts. Hardly any of 443 million codes is taken, so more attempts indicate another problem. */
const maxCodeAttempts = 8;

/**
 * Returns true if the code is taken. A group that already has a room is a different violation, which another code would
 * not fix.
 */
function isUniqueViolation(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint !== 'meetings_group_room';
}

/** Retries until a code is free. */
export async function retryWithFreeMeetingCode<T>(attempt: (code: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(newRoomCode('meeting'));
    } catch (error) {
      if (!isUniqueViolation(error) || tries >= maxCodeAttempts) throw error;
    }
  }
}

/** Stores the codes by which meetings are found. */
export function createMeetingCodeStore(db: Knex): Pick<MeetingStore, 'rotateCode' | 'expireCode'> {
  return {
    rotateCode: (id, expiresAt, now) =>
      retryWithFreeMeetingCode((roomCode) =>
        returnUpdatedMeeting(
          db<MeetingRow>('meetings')
            .where({ id, closed: false })
            .update({ room_code: roomCode, last_room_code: roomCode, code_expires_at: expiresAt, updated_at: now }),
        ),
      ),

    expireCode: (id, now) =>
      returnUpdatedMeeting(
        db<MeetingRow>('meetings').where({ id, closed: false }).update({ code_expires_at: now, updated_at: now }),
      ),
  };
}
