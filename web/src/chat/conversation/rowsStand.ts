import { createContext } from 'react';

/** False until a list's rows are seen: what only a press needs, and nobody sees before, is made after them. */
export const RowsStandContext = createContext(true);
