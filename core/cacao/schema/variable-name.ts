/** What a variable's name must look like to be declared (CACAO 2.0, variable). */
export const variableNamePattern = '^__[a-zA-Z_][a-zA-Z0-9_-]{0,199}__$';
