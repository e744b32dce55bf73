import { useEffect, useRef, useState } from 'react';
import { scanCodes } from '../device/scanCodes.ts';
import { ErrorState } from './ErrorState.tsx';
import { Spinner } from './Spinner.tsx';

export interface CodeScannerProps {
  /** Announced while the camera starts. */
  starting: string;
  /** Shown if the camera cannot be used. */
  failed: string;
  /** Takes a code. Returns false if it is another kind of code, so that scanning continues. */
  onCode: (code: string) => boolean;
}

/** Picture of the camera, in which QR codes are read. */
export function CodeScanner({ starting, failed, onCode }: CodeScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'starting' | 'looking' | 'failed'>('starting');
  const [attempt, setAttempt] = useState(0);
  const take = useRef(onCode);
  useEffect(() => {
    take.current = onCode;
  });

  useEffect(() => {
    const over = new AbortController();
    const element = video.current;
    if (element === null) return undefined;
    scanCodes(element, over.signal, {
      onReady: () => setState('looking'),
      onCode(code) {
        if (take.current(code)) over.abort();
      },
    }).catch(() => {
      if (!over.signal.aborted) setState('failed');
    });
    return () => over.abort();
  }, [attempt]);

  return (
    <div className="relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-card bg-sunken">
      {state === 'starting' && (
        <span role="status" aria-label={starting} className="absolute text-muted">
          <Spinner className="size-6" />
        </span>
      )}
      {state === 'failed' && (
        <ErrorState
          className="absolute"
          title={failed}
          onRetry={() => {
            setState('starting');
            setAttempt(attempt + 1);
          }}
        />
      )}
      <video ref={video} muted playsInline className="size-full object-cover" hidden={state === 'failed'} />
    </div>
  );
}
