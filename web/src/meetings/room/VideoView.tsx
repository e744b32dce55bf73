import { useEffect, useRef, type Ref } from 'react';
import { classNames } from '../../ui/classNames.ts';

export interface VideoViewProps {
  track: MediaStreamTrack;
  /** True for the user's own picture, as in a mirror. */
  mirrored?: boolean;
  className?: string;
  videoRef?: Ref<HTMLVideoElement>;
  onPlaying?: () => void;
}

export function VideoView({ track, mirrored = false, className, onPlaying }: VideoViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return undefined;
    element.srcObject = new MediaStream([track]);
    // Silent video may always play, and removal during startup does not matter.
    element.play()?.catch(() => undefined);
    return () => {
      element.srcObject = null;
    };
  }, [track]);
  return (
    <video
      ref={video}
      autoPlay
      playsInline
      muted
      onPlaying={onPlaying}
      data-testid="video"
      className={classNames(mirrored && '-scale-x-100', className)}
    />
  );
}
