// Polyfills browser APIs that jsdom lacks. Applies to files that request jsdom in their docblock; changes nothing under
// Node.
import { TextDecoder, TextEncoder } from 'node:util';

class StillResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

if (typeof window !== 'undefined') {
  globalThis.TextEncoder ??= TextEncoder;
  globalThis.TextDecoder ??= TextDecoder;
  globalThis.ResizeObserver ??= StillResizeObserver;
  globalThis.RTCPeerConnection ??= class {};
  globalThis.MediaRecorder ??= class {};
  navigator.mediaDevices ??= { getUserMedia: () => Promise.reject(new DOMException('none', 'NotFoundError')) };
}
