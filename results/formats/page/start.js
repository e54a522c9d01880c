// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The order of the page.
'use strict';
startTheme();
startKnown();
startHeat();
startFlames();
startClusters();
startRefusals();
startSeries();
startRows();
startRuns();
document.documentElement.dataset.ready = 'yes';
