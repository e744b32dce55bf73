import type { Knex } from '@nolo/kit/db';
import type { MeetingStore } from '../domain/ports.ts';
import { type MeetingRow, returnUpdatedMeeting } from './rows.ts';

/** Stores who is recording a meeting, at most one person at a time. */
export function createRecordingStore(db: Knex): Pick<MeetingStore, 'claimRecording' | 'endRecording'> {
  return {
    claimRecording: (id, participantId, gone, now) =>
      returnUpdatedMeeting(
        db<MeetingRow>('meetings')
          .where({ id, status: 'live', allow_recording: true })
          .where(
            (free) =>
              void free
                .where({ is_recording: false })
                .orWhereNull('recorder_id')
                .orWhereIn('recorder_id', gone === null ? [participantId] : [participantId, gone]),
          )
          .update({ is_recording: true, recorder_id: participantId, updated_at: now }),
      ),

    endRecording: (id, participantId, now) =>
      returnUpdatedMeeting(
        db<MeetingRow>('meetings')
          .where({ id, recorder_id: participantId })
          .update({ is_recording: false, recorder_id: null, updated_at: now }),
      ),
  };
}
