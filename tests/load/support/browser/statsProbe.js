/* Runs in the page before the app, and remembers its connections, to ask them how well they receive. */
(() => {
  const connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  /** Sums over everything that is received, by kind. */
  globalThis.received = async () => {
    const sums = { audio: {}, video: {} };
    for (const connection of connections) {
      if (connection.connectionState === 'closed') continue;
      for (const stat of (await connection.getStats()).values()) {
        if (stat.type !== 'inbound-rtp') continue;
        const sum = sums[stat.kind];
        for (const [name, value] of Object.entries(stat)) {
          if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
        }
      }
    }
    return sums;
  };
})();
