/*
 * Pre-join page and room as in LiveKit's own examples: the connection is prepared and the devices are open before the
 * click.
 */
(() => {
  const { Room, RoomEvent, createLocalTracks, VideoPresets } = globalThis.LivekitClient;
  const query = new URLSearchParams(location.search);
  const address = query.get('address');
  const token = query.get('token');
  const marks = {};
  globalThis.joinMarks = marks;

  const room = new Room({ adaptiveStream: true, dynacast: true });
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== 'video') return;
    const other = document.getElementById('other');
    other.requestVideoFrameCallback((_, { presentationTime }) => {
      marks.frame ??= presentationTime;
    });
    track.attach(other);
  });

  async function stand() {
    await room.prepareConnection(address, token);
    const tracks = await createLocalTracks({ audio: true, video: { resolution: VideoPresets.h720.resolution } });
    tracks.find(({ kind }) => kind === 'video').attach(document.getElementById('mirror'));
    document.querySelector('button').addEventListener('click', (event) => {
      marks.clicked = event.timeStamp;
      void room.connect(address, token).then(async () => {
        marks.connected = performance.now();
        await Promise.all(tracks.map((track) => room.localParticipant.publishTrack(track)));
        marks.published = performance.now();
      });
    });
    globalThis.isOnPreJoinPage = true;
  }
  globalThis.leaveRoom = () => room.disconnect();
  void stand();
})();
