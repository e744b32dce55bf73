import { useEffect, useMemo } from 'react';

/** An address of a file that is on this device alone, for as long as it is shown. */
export function useLocalUrl(file: Blob | undefined): string | undefined {
  const url = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
}
