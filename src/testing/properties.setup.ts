import fc from 'fast-check';
import { sample } from '#testing/sample.ts';

// Properties that name no seed try the same cases wherever the same commit runs, and others with each commit.
fc.configureGlobal({ seed: sample.numberFor('properties') });
