import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** `p@$$w0rd` is found; trying out all combinations would take 200 ms. */
const l33tMaxSubstitutions = 4;

export const checker = new ZxcvbnFactory({ l33tMaxSubstitutions, dictionary, graphs: adjacencyGraphs });
