/* Runs in the page before the app. Records its connections, to query their receive statistics. */
(() => {
  const connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  /**
   * Sums the statistics of everything received, by kind. Excludes bandwidth probes: a media worker numbers these
   * packets across all of its receivers, so each misses those sent to the others.
   */
  globalThis.received = async () => {
    const sums = { audio: {}, video: {} };
    for (const connection of connections) {
      if (connection.connectionState === 'closed') continue;
      for (const stat of (await connection.getStats()).values()) {
        if (stat.type !== 'inbound-rtp' || stat.mid === 'probator') continue;
        const sum = sums[stat.kind];
        for (const [name, value] of Object.entries(stat)) {
          if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
        }
      }
    }
    return sums;
  };

  /** Videos of others: when they appeared, and when they showed frames. */
  const shown = new Map();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    const [track] = this.srcObject?.getVideoTracks() ?? [];
    const isRemote = connections.some((one) => one.getReceivers().some((receiver) => receiver.track === track));
    if (isRemote && !shown.has(this)) {
      const times = [];
      shown.set(this, { began: performance.now(), times });
      const next = (_, { presentationTime }) => {
        times.push(presentationTime);
        if (this.isConnected) this.requestVideoFrameCallback(next);
      };
      this.requestVideoFrameCallback(next);
    }
    return play.call(this);
  };
  /**
   * Returns the frames that reached the screen since an earlier `performance.now()`, and freezes among them: gaps
   * longer than usual by as much as the standard's freezeCount requires
   * (https://www.w3.org/TR/webrtc-stats/#dom-rtcinboundrtpstreamstats-freezecount). Participants who appeared on the
   * page meanwhile, because they speak, are measured from then on.
   */
  globalThis.shownSince = (from) => {
    const sum = { videos: 0, pictures: 0, freezes: 0, frozenMs: 0, longestMs: 0 };
    const now = performance.now();
    for (const [video, { began, times: all }] of shown) {
      if (!video.isConnected) continue;
      const since = Math.max(from, began);
      const times = [since, ...all.filter((time) => time >= since), now];
      const gaps = times.slice(1).map((time, index) => time - times[index]);
      const usual = (now - since) / Math.max(1, times.length - 2);
      const frozen = gaps.filter((gap) => gap > Math.max(3 * usual, usual + 150));
      sum.videos += 1;
      sum.pictures += times.length - 2;
      sum.freezes += frozen.length;
      sum.frozenMs += frozen.reduce((ms, gap) => ms + gap, 0);
      sum.longestMs = Math.max(sum.longestMs, ...gaps);
    }
    return sum;
  };
})();
