/**
 * Stands in for the package react-style-singleton (see the alias in vite.config.ts).
 *
 * The dialog library's scroll lock writes its rules into a <style> element, which our content
 * security policy refuses. A constructed style sheet needs no such opening: it is script's own
 * object model, which style-src does not govern. The three exports keep the package's contract.
 */
import { useEffect, useRef } from 'react';

interface StyleSheetSingleton {
  add: (css: string) => void;
  remove: () => void;
}

/** One sheet for any number of holders: the first brings it, the last takes it away. */
export function stylesheetSingleton(): StyleSheetSingleton {
  let holders = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(css) {
      if (holders === 0) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
      holders += 1;
    },
    remove() {
      holders -= 1;
      if (holders > 0 || sheet === undefined) return;
      const leaving = sheet;
      sheet = undefined;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((held) => held !== leaving);
    },
  };
}

/** A hook that holds the sheet while its component is mounted. */
export function styleHookSingleton(): (css: string, isDynamic?: boolean) => void {
  const sheet = stylesheetSingleton();
  return function useAdoptedStyle(css, isDynamic) {
    // Only a sheet that is said to change is written again; the others stay as they were mounted.
    const written = useRef(css);
    if (isDynamic === true) written.current = css;
    const current = written.current;
    useEffect(() => {
      sheet.add(current);
      return () => sheet.remove();
    }, [current]);
  };
}

/** A component that holds the sheet while it is mounted and draws nothing. */
export function styleSingleton(): (props: { styles: string; dynamic?: boolean }) => null {
  const useAdoptedStyle = styleHookSingleton();
  return function AdoptedStyle({ styles, dynamic }) {
    useAdoptedStyle(styles, dynamic);
    return null;
  };
}
