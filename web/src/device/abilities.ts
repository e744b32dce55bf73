/**
 * What this browser can do here, asked in this one place. Whatever cannot work is not shown, or explained (decisions 33
 * and 44). Asked for when it matters, for an extension or a setting may take an ability away.
 */
export const can = {
  /** Take part in calls and meetings; some builds of WebKit, and browsers set to be careful, have no WebRTC. */
  connect: (): boolean => 'RTCPeerConnection' in globalThis,
  /** Use the microphone and the camera; only secure pages have them. */
  capture: (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function',
  /** Show the screen to others; phones cannot. */
  shareScreen: (): boolean => typeof navigator.mediaDevices?.getDisplayMedia === 'function',
  /** Write down sound and pictures. */
  record: (): boolean => 'MediaRecorder' in globalThis,
  /** Play sound over another loudspeaker than the system's. */
  chooseSpeaker: (): boolean => 'setSinkId' in HTMLMediaElement.prototype,
  /** Take noise out of what the microphone hears. */
  suppressNoise: (): boolean => navigator.mediaDevices?.getSupportedConstraints?.().noiseSuppression === true,
  /** Sign in with a passkey. */
  usePasskeys: (): boolean => 'PublicKeyCredential' in globalThis,
  /** Read codes that the camera sees: Chromium does on some systems, where it has the system's own reader. */
  readCodes: (): boolean => 'BarcodeDetector' in globalThis && can.capture(),
  /** Be told of what happens while the app is closed. */
  bePushed: (): boolean => 'PushManager' in globalThis && 'serviceWorker' in navigator,
};
