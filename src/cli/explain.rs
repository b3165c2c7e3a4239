//! The commands `explain` and `rules`: the documentation of rules.

use std::io::{Write, stdout};

use crate::catalog::Catalog;
use crate::rules::{Card, card, level_name};

use super::arguments::{ConfigArguments, FindingArguments, Listing};
use super::resolve;
use super::{Failure, exit_code};

/// Runs `explain`: prints a rule's card.
pub(super) fn explain(rule: &str, configuration: &ConfigArguments) -> Result<u8, Failure> {
    // What is built in needs no configuration.
    if let Some(card) = card(rule) {
        write!(stdout().lock(), "{card}")?;
        return Ok(exit_code::CLEAN);
    }
    let catalog = catalog(configuration)?;
    match catalog.card(rule) {
        Some(card) => {
            write!(stdout().lock(), "{card}")?;
            Ok(exit_code::CLEAN)
        }
        None => Err(Failure::Usage {
            message: format!("unknown rule `{rule}`"),
            help: match catalog.nearest(rule) {
                Some(near) => format!("did you mean `{near}`? `cuda-arch-lint rules` lists all"),
                None => "`cuda-arch-lint rules` lists the rules".to_string(),
            },
        }),
    }
}

/// The rules of a configuration.
fn catalog(configuration: &ConfigArguments) -> Result<Catalog, Failure> {
    let loaded = resolve::configuration(configuration)?;
    Ok(resolve::rules(configuration, &FindingArguments::default(), loaded.as_ref())?.1)
}

/// Runs `rules`: lists the rules.
pub(super) fn rules(format: Listing, configuration: &ConfigArguments) -> Result<u8, Failure> {
    let catalog = catalog(configuration)?;
    let cards: Vec<&Card> = catalog.cards().collect();
    if format == Listing::Json {
        let rows: Vec<_> = cards.iter().map(|card| row(card)).collect();
        let mut out = stdout().lock();
        serde_json::to_writer_pretty(&mut out, &rows).map_err(std::io::Error::from)?;
        writeln!(out)?;
        return Ok(exit_code::CLEAN);
    }
    let width = cards.iter().map(|card| card.id.len()).max().unwrap_or(0);
    let mut out = stdout().lock();
    for card in &cards {
        let Card { code, id, title, .. } = card;
        let level = if card.enabled { level_name(card.level) } else { "off" };
        let code = code.as_deref().unwrap_or("custom");
        writeln!(out, "{code}  {id:width$}  {level:7}  {title}")?;
    }
    Ok(exit_code::CLEAN)
}

/// A rule as JSON.
fn row(card: &Card) -> serde_json::Value {
    serde_json::json!({
        "id": card.id,
        "code": card.code,
        "level": level_name(card.level),
        "enabled": card.enabled,
        "since": card.since,
        "title": card.title,
        "reference": card.reference,
        "card": card.to_string(),
    })
}
