import { parseTheme, themeAttribute, themeStorageKey, themeStore } from './theme.ts';

/** Applies the stored choice, then keeps document and storage synchronized with the store. */
export function syncTheme(root: HTMLElement, storage: Storage): () => void {
  themeStore.getState().choose(parseTheme(storage.getItem(themeStorageKey)));
  const apply = () => {
    const { theme } = themeStore.getState();
    const attribute = themeAttribute(theme);
    if (attribute === null) delete root.dataset.theme;
    else root.dataset.theme = attribute;
    if (theme === 'system') storage.removeItem(themeStorageKey);
    else storage.setItem(themeStorageKey, theme);
  };
  apply();
  return themeStore.subscribe(apply);
}
