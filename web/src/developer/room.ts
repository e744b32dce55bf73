/** What comes over the line together. */
export { DeveloperScreen } from './DeveloperScreen.tsx';
