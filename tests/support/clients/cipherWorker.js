/**
 * Replaces the app's worker for encoded frames, in stories only: AES-GCM by WebCrypto, with a key from the story.
 * Leaves unencrypted what media nodes and browsers must read in transit: the first bytes of VP8, which contain the key
 * frame flag and the size, and Opus' byte that describes the coding. For VP9 they read the payload descriptor, which is
 * outside the frame.
 */
const keyBytes = new Uint8Array(__KEY__);
const ivLength = 12;
const counts = { sent: { audio: 0, video: 0 }, received: { audio: 0, video: 0 }, refused: 0, ssrcs: [], layers: [] };
const key = crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

function clearLength(frame, kind) {
  if (kind === 'audio') return 1;
  const { mimeType = '' } = frame.getMetadata();
  if (!mimeType.endsWith('VP8')) return 0;
  return frame.type === 'key' ? 10 : 3;
}

const joined = (...parts) => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
};

const seal = async (data, clear) => {
  const head = data.slice(0, clear);
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const algorithm = { name: 'AES-GCM', iv, additionalData: head };
  return joined(head, await crypto.subtle.encrypt(algorithm, await key, data.slice(clear)), iv);
};

const unseal = async (data, clear) => {
  const head = data.slice(0, clear);
  const end = data.byteLength - ivLength;
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(data.slice(end)), additionalData: head };
  return joined(head, await crypto.subtle.decrypt(algorithm, await key, data.slice(clear, end)));
};

function note(list, value) {
  if (value !== undefined && !list.includes(value)) list.push(value);
}

addEventListener('rtctransform', ({ transformer: { options, readable, writable } }) => {
  const { side, kind } = options;
  const work = new TransformStream({
    async transform(frame, controller) {
      const clear = clearLength(frame, kind);
      try {
        frame.data = side === 'sent' ? await seal(frame.data, clear) : await unseal(frame.data, clear);
      } catch {
        // A frame with another key is not shown.
        counts.refused += 1;
        return;
      }
      counts[side][kind] += 1;
      if (kind === 'video' && side === 'sent') {
        const { synchronizationSource, spatialIndex } = frame.getMetadata();
        note(counts.ssrcs, synchronizationSource);
        note(counts.layers, spatialIndex);
      }
      controller.enqueue(frame);
    },
  });
  readable
    .pipeThrough(work)
    .pipeTo(writable)
    .catch(() => undefined);
});

addEventListener('message', ({ ports: [port] }) => port?.postMessage(counts));
