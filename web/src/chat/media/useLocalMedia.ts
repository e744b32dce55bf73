import { useEffect, useState } from 'react';
import { useChat } from '../context/chatContext.ts';
import { findLocalMedia, rememberLocalMedia, type LocalMedia } from './localMedia.ts';

/** Returns the files of a message on this device. Reads them from disk if they are nowhere else. */
export function useLocalMedia(key: string, needed: boolean): LocalMedia | null {
  const { device } = useChat().engine.internals.core;
  const [found, setFound] = useState<LocalMedia | null>(null);
  const here = findLocalMedia(key);
  const missing = needed && here === null;
  useEffect(() => {
    if (!missing) return undefined;
    let gone = false;
    device?.readFiles(key).then(
      (files) => {
        if (files && !gone) setFound(rememberLocalMedia(key, files));
      },
      // If storage fails, the medium appears once it is on the server.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [device, key, missing]);
  return here ?? found;
}
