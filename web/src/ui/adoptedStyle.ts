/**
 * Replaces the package react-style-singleton (see the alias in vite.config.ts).
 *
 * The dialog library's scroll lock writes its rules to a <style> element, which our content security policy forbids. A
 * constructed style sheet needs no exception, because style-src does not apply to script's own object model. The three
 * exports keep the package's contract.
 */
import { useEffect, useRef } from 'react';

interface StyleSheetSingleton {
  add: (css: string) => void;
  remove: () => void;
}

/** Shares one sheet among any number of holders: the first adds it, and the last removes it. */
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
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== leaving);
    },
  };
}

/** Returns a hook that holds the sheet while its component is mounted. */
export function styleHookSingleton(): (css: string, isDynamic?: boolean) => void {
  const sheet = stylesheetSingleton();
  return function useAdoptedStyle(css, isDynamic) {
    // Rewrites only dynamic sheets. Others stay as they were mounted.
    const written = useRef(css);
    if (isDynamic === true) written.current = css;
    const current = written.current;
    useEffect(() => {
      sheet.add(current);
      return () => sheet.remove();
    }, [current]);
  };
}

/** Returns a component that holds the sheet while mounted and renders nothing. */
export function styleSingleton(): (props: { styles: string; dynamic?: boolean }) => null {
  const useAdoptedStyle = styleHookSingleton();
  return function AdoptedStyle({ styles, dynamic }) {
    useAdoptedStyle(styles, dynamic);
    return null;
  };
}
