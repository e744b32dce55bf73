import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { moderationActions, type ModerationAction, type ParticipantRole } from '@nolo/rules';
import { actorFrom, codeFrom, participantFrom } from '../domain/actor.ts';
import { participantChanged, toOne } from '../domain/announce.ts';
import { isHosting, type Meeting } from '../domain/meeting.ts';
import type { Participant, ParticipantPatch } from '../domain/participant.ts';
import { failMeetings, notHost, participantUnknown, roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';

const refused = (message: string) => failMeetings('forbidden', 'action_refused', message);
const hosts = ({ role }: Participant) => isHosting({ role, admitted: true, removed: false });

export function moderate(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.moderate> {
  const { meetings, guests, rooms, live, media, barredAddresses, announce, clock } = dependencies;

  const change = async (one: Participant, patch: ParticipantPatch): Promise<void> => {
    const changed = await rooms.patch(one.id, patch);
    if (changed) announce(participantChanged(await rooms.inside(one.roomId), changed));
  };
  const silence = async (one: Participant, source: 'microphone' | 'camera') => {
    const { roomId, id: participantId } = one;
    await media.tell(one, (client) => client.setPaused({ roomId, participantId, source, paused: true }));
    await change(one, source === 'microphone' ? { isMuted: true } : { hasVideo: false });
    announce(toOne(one, 'meeting_asked', { what: source === 'microphone' ? 'muted' : 'video_stopped' }));
  };
  const setRole = async (meeting: Meeting, one: Participant, role: ParticipantRole) => {
    await meetings.setPart(meeting.id, one.userId, { role, admitted: true });
    // All tabs of the person, or one would keep what another lost.
    for (const same of await rooms.inside(meeting.id)) {
      if (same.userId !== one.userId) continue;
      await change(same, { role });
      // Recording is for hosts, and they are none any more.
      if (role === 'participant') await live.endRecording(meeting.id, same.id);
    }
    await live.tellLobby(meeting.id);
  };
  const admit = async (meeting: Meeting, waiting: readonly Participant[]) => {
    let free = meeting.maxParticipants - (await rooms.count(meeting.id));
    for (const one of waiting) {
      if (free <= 0) throw roomFull(meeting.maxParticipants);
      free -= 1;
      await meetings.setPart(meeting.id, one.userId, { admitted: true, removed: false });
      announce(toOne(one, 'meeting_admitted'));
    }
  };

  /** With every tab, and for guests with every name that they gave in the same browser. */
  const putOut = async (meeting: Meeting, one: Participant) => {
    const guest = one.role === 'guest';
    const ids = guest ? await guests.barVisitor(meeting.id, one.userId, clock.now()) : [one.userId];
    for (const id of ids) await meetings.setPart(meeting.id, id, { removed: true, admitted: false });
    await barredAddresses.bar(meeting.id, one.address);
    await live.putOut(meeting.id, ids);
  };

  /** About somebody in the lobby. */
  const decideOutside = async (meeting: Meeting, one: Participant, action: ModerationAction) => {
    if (action === 'admit') return admit(meeting, [one]);
    if (action !== 'deny') throw refused('They are not in the meeting yet.');
    await rooms.remove(one.id);
    announce(toOne(one, 'meeting_denied'));
    return live.tellLobby(meeting.id);
  };

  /** About somebody inside. */
  const decideInside = async (meeting: Meeting, one: Participant, action: ModerationAction) => {
    switch (action) {
      case 'mute':
        return silence(one, 'microphone');
      case 'stop_video':
        return silence(one, 'camera');
      case 'ask_to_unmute':
        return announce(toOne(one, 'meeting_asked', { what: 'unmute' }));
      case 'lower_hand':
        return change(one, { handRaisedAt: 0 });
      case 'remove':
        return putOut(meeting, one);
      case 'make_co_host':
        if (one.role === 'guest') throw refused('A guest cannot be a co-host.');
        return setRole(meeting, one, 'co_host');
      case 'make_participant':
        return setRole(meeting, one, 'participant');
      case 'admit':
      case 'deny':
        // Somebody else was faster.
        return;
    }
  };

  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const action = moderationActions.find((one) => one === request.action);
    if (!action) throw failMeetings('invalid', 'action_refused', 'There is no such action.');
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);

    if (request.participantId === '') {
      if (action === 'admit') await admit(meeting, await rooms.waiting(meeting.id));
      else if (action === 'mute') {
        const loud = (await rooms.inside(meeting.id)).filter((one) => !hosts(one) && !one.isMuted);
        for (const one of loud) await silence(one, 'microphone');
      } else throw failMeetings('invalid', 'action_refused', 'Say whom this is about.');
      return {};
    }

    const found = await rooms.find(participantFrom(request.participantId));
    if (!found || found.participant.roomId !== meeting.id) throw participantUnknown();
    const { participant, waiting } = found;
    if (participant.role === 'host') throw refused('Nobody decides about the host.');
    // Co-hosts decide about participants; who is a co-host is the host's to say.
    const aboutHosts = hosts(participant) || action === 'make_co_host' || action === 'make_participant';
    if (aboutHosts && part.role !== 'host') throw notHost();
    await (waiting ? decideOutside : decideInside)(meeting, participant, action);
    return {};
  };
}
