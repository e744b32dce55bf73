/**
 * Features of this browser, checked only here. Unavailable features are hidden or explained (decisions 33 and 44).
 * Check when needed, because an extension or a setting may remove a feature.
 */
export const browserSupport = {
  /** Take part in calls and meetings. Some WebKit builds and privacy settings lack WebRTC. */
  connect: (): boolean => 'RTCPeerConnection' in globalThis,
  /** Use the microphone and camera. Requires a secure page. */
  capture: (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function',
  /** Share the screen. Phones cannot. */
  shareScreen: (): boolean => typeof navigator.mediaDevices?.getDisplayMedia === 'function',
  /** Record audio and video. */
  record: (): boolean => 'MediaRecorder' in globalThis,
  /** Play sound through a speaker other than the system default. */
  chooseSpeaker: (): boolean => 'setSinkId' in HTMLMediaElement.prototype,
  /** Remove noise from the microphone signal. */
  suppressNoise: (): boolean => navigator.mediaDevices?.getSupportedConstraints?.().noiseSuppression === true,
  /** Sign in with a passkey. */
  usePasskeys: (): boolean => 'PublicKeyCredential' in globalThis,
  /** Receive push notifications while the app is closed. */
  bePushed: (): boolean => 'PushManager' in globalThis && 'serviceWorker' in navigator,
};
