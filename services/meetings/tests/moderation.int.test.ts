import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { limits } from '@nolo/rules';
import { eventually, followEvents } from '@nolo/testing';
import { ben, carol, host, inside, moderate, node, nolo, renew, requestsOf, setState, withMedia } from './roomScene.ts';
import { participantIdOf, meetingsErrorKindAndCode } from './startMeetings.ts';

describe('the lobby', () => {
  const lobbyOf = async (meeting: Meeting) =>
    (await nolo.rooms.listLobby({ actorId: host, roomCode: meeting.roomCode, address: '' })).waiting.map(
      ({ id }) => id,
    );

  test('people waiting are limited', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, meeting.roomCode);
    for (let count = 0; count < limits.lobbySize; count += 1) {
      expect((await nolo.enter(randomUUID(), meeting.roomCode)).state).toBe('waiting');
    }
    expect(await meetingsErrorKindAndCode(nolo.enter(randomUUID(), meeting.roomCode))).toBe('conflict room_full');
    expect(await lobbyOf(meeting)).toHaveLength(limits.lobbySize);
  });

  test('absent hosts are notified occasionally that someone waits; one who is there sees it', async () => {
    const lobbyArrivals: unknown[] = [];
    const end = await followEvents(
      nolo.db,
      ['event.meetings.lobby_waiting'],
      ({ data }) => void lobbyArrivals.push(data),
    );
    const seen = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, seen.roomCode);
    await nolo.enter(ben, seen.roomCode);
    const { id: meetingId, roomCode } = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(ben, roomCode);
    await eventually(() => lobbyArrivals.length === 1);
    expect(lobbyArrivals).toEqual([{ meetingId, roomCode, hostIds: [host] }]);
    await nolo.enter(carol, roomCode);
    nolo.clock.advance(61_000);
    await nolo.enter(randomUUID(), roomCode);
    await eventually(() => lobbyArrivals.length === 2);
    end();
  });

  test('admitted people join, rejected ones stay out, and hosts see who waits', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, meeting.roomCode);
    const [waits, secondEntry] = [await nolo.enter(ben, meeting.roomCode), await nolo.enter(carol, meeting.roomCode)];
    expect(waits).toMatchObject({ state: 'waiting', participants: [], media: undefined });
    const ids = [participantIdOf(waits), participantIdOf(secondEntry)];
    expect((await lobbyOf(meeting)).sort()).toEqual([...ids].sort());
    await eventually(() => nolo.framesTo(host, 'meeting_lobby').length >= 2);
    expect(await meetingsErrorKindAndCode(setState(ben, ids[0] ?? '', { hand: true }))).toBe(
      'not_found participant_unknown',
    );

    await moderate(host, meeting, 'admit', ids[0]);
    const admitted = await eventually(() => nolo.framesTo(ben, 'meeting_admitted')[0]);
    expect(admitted).toMatchObject({ scope: ids[0], data: { roomCode: meeting.roomCode, participantId: ids[0] } });
    const entry = await nolo.enter(ben, meeting.roomCode, { participantId: ids[0] ?? '' });
    expect(entry).toMatchObject({ state: 'joined', participant: { id: ids[0] } });
    await eventually(() => nolo.framesTo(host, 'meeting_participant_joined').length === 1);
    expect(await lobbyOf(meeting)).toEqual([ids[1]]);

    await moderate(host, meeting, 'deny', ids[1]);
    await eventually(() => nolo.framesTo(carol, 'meeting_denied')[0]);
    expect(await lobbyOf(meeting)).toEqual([]);
    expect(await meetingsErrorKindAndCode(moderate(ben, meeting, 'admit'))).toBe('forbidden not_host');
    expect(
      await meetingsErrorKindAndCode(nolo.rooms.listLobby({ actorId: ben, roomCode: meeting.roomCode, address: '' })),
    ).toBe('forbidden not_host');
  });

  test('everyone is admitted at once, up to the capacity', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true }, { maxParticipants: 2 });
    await nolo.enter(host, meeting.roomCode);
    await nolo.enter(ben, meeting.roomCode);
    nolo.clock.advance(10);
    await nolo.enter(carol, meeting.roomCode);
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'admit'))).toBe('conflict room_full');
    await eventually(() => nolo.framesTo(ben, 'meeting_admitted').length === 1);
    expect(nolo.framesTo(carol, 'meeting_admitted')).toEqual([]);
  });
});

describe('moderation', () => {
  const scene = async () => {
    const meeting = await nolo.meeting(host);
    const [dora, erik] = [await nolo.person(), await nolo.person()];
    const ids: Record<string, string> = {};
    for (const who of [host, ben, carol, dora, erik]) {
      ids[who] = participantIdOf(await nolo.enter(who, meeting.roomCode, withMedia));
    }
    await moderate(host, meeting, 'make_co_host', ids[ben]);
    await moderate(host, meeting, 'make_co_host', ids[dora]);
    nolo.frames.length = 0;
    node.requests.length = 0;
    return { meeting, ids, dora, erik };
  };

  test('permissions by role and action', async () => {
    const { meeting, ids, dora, erik } = await scene();
    const verdicts: Record<string, string> = {};
    for (const action of ['mute', 'stop_video', 'ask_to_unmute', 'lower_hand', 'make_co_host', 'make_participant']) {
      const about = async (who: string, whom: string) =>
        meetingsErrorKindAndCode(moderate(who, meeting, action, ids[whom]));
      verdicts[action] = [
        await about(host, carol),
        await about(host, dora),
        await about(ben, host),
        await about(ben, dora),
        await about(carol, erik),
        await about(await nolo.person(), erik),
        await about(ben, carol),
      ]
        .map((verdict) => verdict.split(' ')[1] ?? 'yes')
        .join(' ');
      if (action === 'make_co_host') await moderate(host, meeting, 'make_participant', ids[carol]);
      if (action === 'make_participant') await moderate(host, meeting, 'make_co_host', ids[dora]);
    }
    const defaultVerdicts = 'yes yes action_refused not_host not_host meeting_not_found yes';
    const ofHosts = 'yes yes action_refused not_host not_host meeting_not_found not_host';
    expect(verdicts).toEqual({
      mute: defaultVerdicts,
      stop_video: defaultVerdicts,
      ask_to_unmute: defaultVerdicts,
      lower_hand: defaultVerdicts,
      make_co_host: ofHosts,
      make_participant: ofHosts,
    });
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'promote', ids[carol]))).toBe(
      'invalid action_refused',
    );
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'remove'))).toBe('invalid action_refused');
  });

  test('a microphone is muted at the node, and its owner is notified', async () => {
    const { meeting, ids } = await scene();
    await moderate(ben, meeting, 'mute', ids[carol]);
    expect(requestsOf('setPaused')).toEqual([
      { roomId: meeting.id, participantId: ids[carol], source: 'microphone', paused: true },
    ]);
    const frame = await eventually(() => nolo.framesTo(carol, 'meeting_asked')[0]);
    expect(frame).toMatchObject({ scope: ids[carol], data: { participantId: ids[carol], what: 'muted' } });
    await eventually(() =>
      nolo
        .framesTo(host, 'meeting_participant_changed')
        .some(({ data }) => (data['participant'] as { id: string; isMuted: boolean }).isMuted),
    );
  });

  test('everyone but hosts is muted at once', async () => {
    const { meeting, ids, erik } = await scene();
    await moderate(host, meeting, 'mute');
    const muted = new Set(requestsOf('setPaused').map(({ participantId }) => participantId));
    expect(muted).toEqual(new Set([ids[carol], ids[erik]]));
  });

  test('a removed person stays out, in every tab and with an invite', async () => {
    const { meeting, ids } = await scene();
    const tab = participantIdOf(await nolo.enter(carol, meeting.roomCode));
    const { token } = await nolo.meetings.createInvite({ actorId: host, roomCode: meeting.roomCode, address: '' });
    await moderate(ben, meeting, 'remove', ids[carol]);
    expect(await renew([ids[carol] ?? '', tab])).toEqual({ unknownParticipantIds: [ids[carol], tab] });
    await eventually(() => nolo.framesTo(carol, 'meeting_asked').length === 2);
    expect(await meetingsErrorKindAndCode(nolo.enter(carol, meeting.roomCode, { inviteToken: token }))).toBe(
      'forbidden removed',
    );
    await eventually(() =>
      nolo.framesTo(host, 'meeting_participant_left').some(({ data }) => data['reason'] === 'removed'),
    );
  });

  test('a co-host is one in every tab and after returning', async () => {
    const { meeting, ids } = await scene();
    const tab = participantIdOf(await nolo.enter(carol, meeting.roomCode));
    await moderate(host, meeting, 'make_co_host', ids[carol]);
    const roles = (await inside(meeting)).filter(({ userId }) => userId === carol).map(({ role }) => role);
    expect(roles).toEqual(['co_host', 'co_host']);
    await nolo.rooms.leave({ actorId: carol, participantId: tab });
    expect((await nolo.enter(carol, meeting.roomCode)).participant?.role).toBe('co_host');
  });
});
