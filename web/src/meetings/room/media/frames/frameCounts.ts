/** Source of the frames that a transform receives. */
export interface FrameSource {
  side: 'sent' | 'received';
  kind: 'audio' | 'video';
}

/** Frames processed since the page was opened. */
export interface FrameCounts {
  sent: Record<FrameSource['kind'], number>;
  received: Record<FrameSource['kind'], number>;
}

export const noFrames = (): FrameCounts => ({ sent: { audio: 0, video: 0 }, received: { audio: 0, video: 0 } });
