/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { applyLanguage, createI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/language.ts';
import { pseudoArabic } from '../i18n/pseudo.ts';
import { DropdownMenu, MenuItem } from './DropdownMenu.tsx';

afterEach(cleanup);

test.each<[Language, string]>([
  ['en', 'ltr'],
  ['ar-x-pseudo', 'rtl'],
])('a menu in %s runs %s', async (language, direction) => {
  const i18n = createI18n();
  await applyLanguage(i18n, language, document.createElement('div'), () => Promise.resolve(pseudoArabic));
  render(
    <I18nextProvider i18n={i18n}>
      <DropdownMenu open trigger={<button type="button">More</button>}>
        <MenuItem onSelect={() => {}}>Rename</MenuItem>
      </DropdownMenu>
    </I18nextProvider>,
  );
  expect(screen.getByRole('menu').dir).toBe(direction);
});
