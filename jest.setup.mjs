// What browsers have and jsdom has not. Files that ask for jsdom in their docblock get it; under Node nothing changes.
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
