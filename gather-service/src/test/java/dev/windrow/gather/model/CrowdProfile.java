package dev.windrow.gather.model;

/** A service of its own for crowds, so that what they leave behind meets no other test. */
public class CrowdProfile extends ModelProfile {
}
