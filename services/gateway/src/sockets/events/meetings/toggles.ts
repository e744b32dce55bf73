import type { ClientEventData } from '@nolo/api';
import type { SetStateRequest } from '@nolo/proto/rooms';
import { toParticipant } from '../../../mapping/meetings.ts';
import type { EventHandler } from '../event.ts';

type Toggle = 'meeting_audio_toggle' | 'meeting_video_toggle' | 'meeting_screenshare_toggle' | 'meeting_hand_toggle';

/**
 * Creates a handler for a user's own toggle. The response contains the effective state, which a host may have
 * overridden.
 */
function toggle<N extends Toggle>(change: (data: ClientEventData<N>) => Partial<SetStateRequest>): EventHandler<N> {
  return async (connection, data, { rooms }) => {
    const participant = await rooms.setState({
      actorId: connection.userId,
      participantId: data.participantId,
      audio: undefined,
      video: undefined,
      screen: undefined,
      hand: undefined,
      ...change(data),
    });
    return { participant: toParticipant(participant) };
  };
}

export const meetingAudioToggle = toggle<'meeting_audio_toggle'>(({ enabled }) => ({ audio: enabled }));
export const meetingVideoToggle = toggle<'meeting_video_toggle'>(({ enabled }) => ({ video: enabled }));
export const meetingScreenshareToggle = toggle<'meeting_screenshare_toggle'>(({ enabled }) => ({ screen: enabled }));
export const meetingHandToggle = toggle<'meeting_hand_toggle'>(({ raised }) => ({ hand: raised }));
