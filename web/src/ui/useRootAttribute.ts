import { useLayoutEffect } from 'react';

const holders = new Map<string, number>();

/**
 * Sets a data attribute on the document while held. A `:has` rule for the holders would be re-evaluated on every change
 * of the document.
 */
export function useRootAttribute(name: 'stage', isActive = true): void {
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const { dataset } = document.documentElement;
    holders.set(name, (holders.get(name) ?? 0) + 1);
    dataset[name] = '';
    return () => {
      const left = (holders.get(name) ?? 1) - 1;
      holders.set(name, left);
      if (left === 0) delete dataset[name];
    };
  }, [name, isActive]);
}
