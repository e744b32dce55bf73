/** What comes over the line together. */
export { AdminScreen } from './AdminScreen.tsx';
