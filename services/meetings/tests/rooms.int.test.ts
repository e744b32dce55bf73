import { rateLimits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { ben, host, node, nolo, requestsOf, setState, withMedia } from './roomScene.ts';
import { participantIdOf, meetingsErrorKindAndCode } from './startMeetings.ts';

describe('a participant in a room', () => {
  test('switches reach the node and the others; raised hands keep their order', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const other = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    const { roomId } = { roomId: meeting.id };
    expect(await setState(host, participantId, { audio: false, video: true })).toMatchObject({
      isMuted: true,
      hasVideo: true,
    });
    expect(requestsOf('setPaused')).toEqual([
      { roomId, participantId, source: 'microphone', paused: true },
      { roomId, participantId, source: 'camera', paused: false },
    ]);
    const raised = await setState(ben, other, { hand: true });
    nolo.clock.advance(5_000);
    expect((await setState(ben, other, { hand: true })).handRaisedAt).toEqual(raised.handRaisedAt);
    expect((await setState(ben, other, { hand: false })).handRaisedAt).toBeUndefined();
    await nolo.rooms.react({ actorId: ben, participantId: other, reaction: '🎉' });
    const frame = await eventually(() => nolo.framesTo(host, 'meeting_reaction')[0]);
    expect(frame.data).toEqual({ roomCode: meeting.roomCode, participantId: other, reaction: '🎉' });
    expect(
      await meetingsErrorKindAndCode(nolo.rooms.react({ actorId: ben, participantId: other, reaction: 'x' })),
    ).toBe('invalid action_refused');
    expect(await meetingsErrorKindAndCode(setState(ben, other, {}))).toBe('invalid action_refused');
  });

  test('reactions are rate-limited', async () => {
    const meeting = await nolo.meeting(host);
    const [mine, other] = [
      participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia)),
      participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia)),
    ];
    const { points, durationSeconds } = rateLimits.reactionsPerParticipant;
    await nolo.redis.set(`limit:reactionsPerParticipant:${other}`, points - 1, 'EX', durationSeconds);
    const react = (actorId: string, participantId: string) =>
      nolo.rooms.react({ actorId, participantId, reaction: '🎉' });
    await react(ben, other);
    expect(await meetingsErrorKindAndCode(react(ben, other))).toBe('rate_limited rate_limited');
    await react(host, mine);
  });

  test('only hosts can share screens if the host requires it', async () => {
    const meeting = await nolo.meeting(host, { allowScreenShare: false });
    const own = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const other = participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia));
    const track = { kind: 'video', source: 'screen', rtpParametersJson: '{}', paused: false };
    expect(await meetingsErrorKindAndCode(setState(ben, other, { screen: true }))).toBe(
      'forbidden screen_share_refused',
    );
    expect(await meetingsErrorKindAndCode(nolo.rooms.produce({ actorId: ben, participantId: other, ...track }))).toBe(
      'forbidden screen_share_refused',
    );
    expect(await nolo.rooms.produce({ actorId: host, participantId: own, ...track })).toEqual({
      producerId: 'producer-1',
    });
    expect((await setState(host, own, { screen: true })).isSharing).toBe(true);
  });

  test('microphones start muted if the host requires it, except those of hosts', async () => {
    const meeting = await nolo.meeting(host, { muteOnEntry: true });
    expect((await nolo.enter(ben, meeting.roomCode)).participant?.isMuted).toBe(true);
    expect((await nolo.enter(host, meeting.roomCode)).participant?.isMuted).toBe(false);
  });

  test('transport requests are available to those the node carries', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const mine = { actorId: host, participantId };
    await nolo.rooms.connectTransport({ ...mine, transportId: 't', dtlsParametersJson: '{}' });
    expect(await nolo.rooms.restartIce({ ...mine, transportId: 't' })).toEqual({
      iceParametersJson: '{"usernameFragment":"new"}',
    });
    await nolo.rooms.setView({ ...mine, tiles: [] });
    await nolo.rooms.resumeConsumers({ ...mine, consumerIds: ['c'] });
    expect(await nolo.rooms.getPeerStats(mine)).toMatchObject({ sendLoss: 0.01, roundTripMs: 20 });
    // The node may still receive calls about others from the previous test.
    const about = node.requests.filter(({ request }) => request['participantId'] === participantId);
    expect(about.map(({ method }) => method)).toEqual([
      'join',
      'connectTransport',
      'restartIce',
      'setView',
      'resumeConsumers',
      'getPeerStats',
    ]);
    const without = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    expect(await meetingsErrorKindAndCode(nolo.rooms.getPeerStats({ actorId: ben, participantId: without }))).toBe(
      'not_found participant_unknown',
    );
  });
});
