import { useLayoutEffect } from 'react';

const holders = new Map<string, number>();

/**
 * Puts a data attribute on the document for as long as somebody holds it. A rule that looks for its holders by `:has`
 * would be tried again whenever anything comes into the document or leaves it.
 */
export function useRootMark(name: 'stage', held = true): void {
  useLayoutEffect(() => {
    if (!held) return undefined;
    const { dataset } = document.documentElement;
    holders.set(name, (holders.get(name) ?? 0) + 1);
    dataset[name] = '';
    return () => {
      const left = (holders.get(name) ?? 1) - 1;
      holders.set(name, left);
      if (left === 0) delete dataset[name];
    };
  }, [name, held]);
}
